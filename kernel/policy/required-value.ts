// What a matcher cannot do without: one value of the request that equals, or begins with, one of a few.
// A rule whose required value is not there cannot match, so that an index need not ask it.
import type {Globs, PolicyMatcher, ValueMatcher} from '@lumenflow/schemas';
import {literalStart} from './compile-globs.ts';
import {parseJsonPointer, valueAt} from './json-pointer.ts';
import type {PolicyRequest} from './policy-request.ts';

export interface RequiredValue extends RequiredTexts {
  /** Names what is read: equal for two rules that look at the same place. */
  readonly subject: string;
  /** What the request has there. May throw on a caller's own objects. */
  read(request: PolicyRequest): unknown;
}

/** One of these, each a JSON value that is no list and no object, or a text that begins with one of these. */
interface RequiredTexts {
  readonly values: readonly unknown[];
  readonly prefixes: readonly string[];
}

/** The most telling one of a well-formed matcher; undefined when it needs no value in particular. */
export function requiredValue(matcher: PolicyMatcher): RequiredValue | undefined {
  const [first] = requiredValues(matcher);
  return first;
}

/** Those that tell calls apart best come first. */
function* requiredValues(matcher: PolicyMatcher): Iterable<RequiredValue> {
  yield* requiredIn('arguments', matcher.arguments, ({context}) => context.tool_arguments);
  yield* requiredIn('metadata', matcher.metadata, ({context}) => context.execution_metadata);
  for (const part of matcher.all ?? []) yield* requiredValues(part);
  yield* requiredId('task', matcher.task, ({context}) => context.task_id);
  yield* requiredId('lane', matcher.lane, ({context}) => context.lane_id);
  const {permission} = matcher;
  if (permission)
    yield {subject: 'permission', read: (request) => request.permission, values: permission, prefixes: []};
}

type Read = RequiredValue['read'];

function* requiredIn(
  name: string,
  matchers: Readonly<Record<string, ValueMatcher | undefined>> | undefined,
  root: Read,
): Iterable<RequiredValue> {
  for (const [pointer, matcher] of Object.entries(matchers ?? {})) {
    const path = parseJsonPointer(pointer);
    const texts = matcher && textsOf(matcher);
    if (path && texts) yield {subject: `${name}#${pointer}`, read: (request) => valueAt(root(request), path), ...texts};
  }
}

function* requiredId(subject: string, globs: Globs | undefined, read: Read): Iterable<RequiredValue> {
  const texts = globs && textsOfGlobs(globs);
  if (texts) yield {subject, read, ...texts};
}

function textsOf({equals, in: list, glob}: ValueMatcher): RequiredTexts | undefined {
  const values = equals === undefined ? list : [equals];
  if (values?.every(isScalar)) return {values, prefixes: []};
  return glob === undefined ? undefined : textsOfGlobs(glob);
}

function textsOfGlobs(globs: Globs): RequiredTexts | undefined {
  const starts = [globs].flat().map((glob) => ({glob, start: literalStart(glob)}));
  if (starts.some(({start}) => start === '')) return undefined;
  return {
    values: starts.flatMap(({glob, start}) => (glob === start ? [glob] : [])),
    prefixes: starts.flatMap(({glob, start}) => (glob === start ? [] : [start])),
  };
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
