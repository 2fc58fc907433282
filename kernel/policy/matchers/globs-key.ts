// `tool`, `task` and `lane`: globs over a name.
import type {Globs, PolicyExample} from '@lumenflow/schemas';
import {compileGlobs, literalStart} from '../compile-globs.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {certain} from './certainty.ts';
import {inAnyRule, type MatcherKey, type RequiredTexts, type RequiredValue, type Situation} from './matcher-key.ts';

export interface GlobsSubject {
  readonly globs: 'tool' | 'id';
  /** Whether the names can be looked up, and where to. */
  readonly named?: 'tool' | 'lane';
  /** Named as required, so that an index can be made of it. */
  readonly required?: string;
  read(request: PolicyRequest): string | undefined;
  /** Undefined when it is not known beforehand. */
  readonly known?: (situation: Situation) => string | undefined;
  readonly example: (call: PolicyExample['call']) => PolicyRequest['context'] | Partial<PolicyRequest['context']>;
}

export function globsKey({globs: kind, named, required, read, known, example}: GlobsSubject): MatcherKey {
  return {
    compile(operand, pointer, site) {
      const globs = compileGlobs(operand as Globs, kind, site.compileRegex);
      if (!globs.ok) return site.reject(pointer, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
      return (request) => {
        const text = read(request);
        return text !== undefined && globs.value(text);
      };
    },
    reach(operand: Globs, site) {
      if (known === undefined) return () => 'maybe';
      const compiled = compileGlobs(operand, kind, site.compileRegex);
      return (situation) => {
        const text = known(situation);
        return certain(text !== undefined && compiled.ok && compiled.value(text));
      };
    },
    *requires(operand: Globs): Iterable<RequiredValue> {
      const texts = required === undefined ? undefined : textsOfGlobs(operand);
      if (texts && required !== undefined) yield {subject: required, read, ...texts};
    },
    *names(operand: Globs, at) {
      if (named === undefined) return;
      // A glob may match names that do not exist yet.
      for (const name of [operand].flat()) if (/^[\w.:-]+$/u.test(name)) yield {kind: named, name, at};
    },
    example: (call) => ({context: example(call)}),
    ...inAnyRule,
  };
}

/** Undefined when a glob may begin with anything. */
export function textsOfGlobs(globs: Globs): RequiredTexts | undefined {
  const starts = [globs].flat().map((glob) => ({glob, start: literalStart(glob)}));
  if (starts.some(({start}) => start === '')) return undefined;
  return {
    values: starts.flatMap(({glob, start}) => (glob === start ? [glob] : [])),
    prefixes: starts.flatMap(({glob, start}) => (glob === start ? [] : [start])),
  };
}
