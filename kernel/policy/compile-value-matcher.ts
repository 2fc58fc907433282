// A condition on one value of a call's arguments or metadata: all its operators must match. An absent value matches only
// `exists: false`; a value of another type matches nothing.
import type {Globs, ValueMatcher} from '@lumenflow/schemas';
import {compileGlobs} from './compile-globs.ts';
import {deepEqual} from './deep-equal.ts';
import {isRecord} from './is-record.ts';
import type {MatcherSite} from './matcher-site.ts';

type ValueTest = (value: unknown) => boolean;
type Operator = (operand: unknown, pointer: string, site: MatcherSite) => ValueTest;

const operators: Readonly<Record<keyof ValueMatcher, Operator>> = {
  equals: (operand) => (value) => value !== undefined && deepEqual(value, operand),
  in: (operand, pointer, site) => {
    if (!Array.isArray(operand)) return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`in` needs a list of values');
    const values: readonly unknown[] = operand;
    return (value) => value !== undefined && values.some((candidate) => deepEqual(value, candidate));
  },
  glob: (operand, pointer, site) => {
    const globs = compileGlobs(operand as Globs, 'value', site.compileRegex);
    if (!globs.ok) return site.reject(pointer, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
    return (value) => typeof value === 'string' && globs.value(value);
  },
  regex: (operand, pointer, site) => {
    if (typeof operand !== 'string') return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`regex` needs a text');
    const regex = site.compileRegex(operand);
    if (!regex.ok) {
      const message = `regex \`${operand}\` does not compile: ${regex.problem}`;
      return site.reject(
        pointer,
        'POLICY_REGEX_INVALID',
        message,
        'use RE2 syntax: no look-around, no back-references',
      );
    }
    return (value) => typeof value === 'string' && regex.value.test(value);
  },
  exists: (operand, pointer, site) => {
    if (typeof operand !== 'boolean')
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`exists` needs true or false');
    return (value) => (value !== undefined) === operand;
  },
  lt: comparison((value, bound) => value < bound),
  lte: comparison((value, bound) => value <= bound),
  gt: comparison((value, bound) => value > bound),
  gte: comparison((value, bound) => value >= bound),
};

function comparison(holds: (value: number, bound: number) => boolean): Operator {
  return (operand, pointer, site) => {
    if (typeof operand !== 'number')
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'a comparison needs a number');
    return (value) => typeof value === 'number' && holds(value, operand);
  };
}

export function compileValueMatcher(matcher: unknown, pointer: string, site: MatcherSite): ValueTest {
  if (!isRecord(matcher) || Object.keys(matcher).length === 0) {
    return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'a condition on a value needs at least one operator');
  }
  const tests = Object.entries(matcher).map(([name, operand]): ValueTest => {
    if (Object.hasOwn(operators, name))
      return operators[name as keyof ValueMatcher](operand, `${pointer}/${name}`, site);
    return site.reject(`${pointer}/${name}`, 'POLICY_MATCHER_INVALID', `unknown operator \`${name}\``);
  });
  return (value) => tests.every((test) => test(value));
}
