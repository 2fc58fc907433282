// A call's input as all later stages see it: a JSON copy with canonical paths.
import {canonicalJson, shownPointer, tryCanonicalJson, type NotCanonical} from '../evidence/index.ts';
import {inputBounds} from '../limits.ts';
import {failed, type Failed, type Success} from '../outcome.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {canonicalPaths, type NamedPath, type PathProblem} from '../paths/canonical-paths.ts';

export interface ReadInput extends Success<unknown> {
  /** The value as canonical JSON. */
  readonly text: string;
  /** The paths that it names; undefined when the tool declares none. */
  readonly paths: readonly NamedPath[] | undefined;
}

export interface InputProblem {
  readonly code: 'INVALID_INPUT' | 'LIMIT_EXCEEDED';
  readonly message: string;
  readonly details: Record<string, unknown>;
  /** The input as it was given, if it is JSON. */
  readonly text?: string;
}

export function readInput(
  {name, paths: declared}: Pick<RegisteredTool, 'name' | 'paths'>,
  input: unknown,
): ReadInput | Failed<InputProblem> {
  const written = tryCanonicalJson(input, inputBounds);
  if (!written.ok) return failed(notJson(written.problem));
  const text = written.value;
  const value: unknown = JSON.parse(text);
  if (declared === undefined) return {ok: true, value, text, paths: undefined};
  const read = canonicalPaths(declared.root, value);
  if (!read.ok) return failed({...pathsProblem(name, read.problem), text});
  return {ok: true, value: read.value, paths: read.paths, text: read.isChanged ? canonicalJson(read.value) : text};
}

function notJson({pointer, message, tooMany}: NotCanonical): InputProblem {
  if (tooMany === undefined || tooMany === 'characters') {
    const text = `the input cannot be kept as JSON without loss: ${message}`;
    return {code: 'INVALID_INPUT', message: text, details: {pointer}};
  }
  const bound = inputBounds[tooMany];
  const what = tooMany === 'names' ? 'names of properties' : 'values';
  return {
    code: 'LIMIT_EXCEEDED',
    message: `the input contains more than ${bound} ${what}: pass them in a file, or in several calls`,
    details: {limit: `input_${tooMany}`, bound, pointer},
  };
}

function pathsProblem(tool: string, problems: readonly PathProblem[]): InputProblem {
  const issues = problems.slice(0, issuesMax);
  const lines = issues.map(({pointer, message}) => `${shownPointer(pointer)} ${message}`);
  const message = `the input of \`${tool}\` is not valid: ${lines.join('; ')}`;
  const details = {pointer: issues[0]?.pointer, issues};
  return {code: 'INVALID_INPUT', message, details};
}

/** As many as validation lists. */
const issuesMax = 20;
