// `caller`: the call that makes this one. A call from outside has none, and matches no condition on it.
import type {Caller, Globs, PolicyExample} from '@lumenflow/schemas';
import {compileGlobs} from '../compile-globs.ts';
import {compileValueMatcher} from '../compile-value-matcher.ts';
import {isRecord} from '../is-record.ts';
import type {MatcherSite} from '../matcher-site.ts';
import {inAnyRule, type MatcherKey} from './matcher-key.ts';

type Test = (caller: Caller) => boolean;
type Part = (operand: unknown, pointer: string, site: MatcherSite) => Test;

const parts: Readonly<Record<keyof Caller, Part>> = {
  tool: globsOver('tool', ({tool}) => tool),
  pack: globsOver('id', ({pack}) => pack),
  depth: (operand, pointer, site) => {
    const test = compileValueMatcher(operand, pointer, site);
    return ({depth}) => test(depth);
  },
};

export const callerKey: MatcherKey = {
  compile(operand, pointer, site) {
    if (!isRecord(operand) || Object.keys(operand).length === 0) {
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`caller` needs `tool`, `pack` or `depth`');
    }
    const tests = Object.entries(operand).map(([name, condition]): Test => {
      if (Object.hasOwn(parts, name)) return parts[name as keyof Caller](condition, `${pointer}/${name}`, site);
      return site.reject(`${pointer}/${name}`, 'POLICY_MATCHER_INVALID', `unknown condition \`${name}\` of a caller`);
    });
    return ({context: {caller}}) => caller !== undefined && tests.every((test) => test(caller));
  },
  /** Which tools call which is known only when they do. */
  reach:
    () =>
    ({tool}) =>
      tool ? 'maybe' : 'never',
  *requires() {
    yield {subject: 'caller', read: ({context: {caller}}) => caller !== undefined, values: [true], prefixes: []};
  },
  *names({tool}: {readonly tool?: Globs}, at) {
    for (const name of [tool ?? []].flat()) if (/^[\w.:-]+$/u.test(name)) yield {kind: 'tool', name, at: `${at}/tool`};
  },
  example: ({caller}) => (caller === undefined ? {} : {context: {caller: callerOf(caller)}}),
  ...inAnyRule,
};

function callerOf({tool = '', pack = '', depth = 1}: NonNullable<PolicyExample['call']['caller']>): Caller {
  return {tool, pack, depth};
}

function globsOver(kind: 'tool' | 'id', subject: (caller: Caller) => string): Part {
  return (operand, pointer, site) => {
    const globs = compileGlobs(operand as Globs, kind, site.compileRegex);
    if (!globs.ok) return site.reject(pointer, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
    return (caller) => globs.value(subject(caller));
  };
}
