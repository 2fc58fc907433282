// `arguments` and `metadata`: conditions on values by JSON pointer.
import type {ValueMatcher} from '@lumenflow/schemas';
import {compileValueMatcher} from '../compile-value-matcher.ts';
import {escapePointerPart, parseJsonPointer, valueAt} from '../json-pointer.ts';
import {isRecord} from '../is-record.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {canMatch} from './can-match.ts';
import {certain} from './certainty.ts';
import {textsOfGlobs} from './globs-key.ts';
import {inAnyRule, type MatcherKey, type RequiredTexts, type RequiredValue} from './matcher-key.ts';

type ValueMatchers = Readonly<Record<string, ValueMatcher | undefined>>;

export interface ValuesSubject {
  readonly name: string;
  root(request: PolicyRequest): unknown;
  readonly example: MatcherKey['example'];
}

export function valuesKey({name, root, example}: ValuesSubject): MatcherKey {
  return {
    compile(operand, pointer, site) {
      if (!isRecord(operand))
        return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'conditions by JSON pointer belong here');
      const conditions = Object.entries(operand).map(([key, matcher]) => {
        const at = `${pointer}/${escapePointerPart(key)}`;
        const path = parseJsonPointer(key);
        const help = 'write `/` before each part, as in `/path`';
        if (!path) return site.reject(at, 'POLICY_MATCHER_INVALID', `\`${key}\` is not a JSON pointer`, help);
        const test = compileValueMatcher(matcher, at, site);
        return (request: PolicyRequest) => test(valueAt(root(request), path));
      });
      return (request) => conditions.every((condition) => condition(request));
    },
    /** A claim or a completion has neither arguments nor metadata. */
    reach(matchers: Readonly<Record<string, ValueMatcher>>, site) {
      const tests = Object.values(matchers).map((matcher) => ({matcher, test: compileValueMatcher(matcher, '', site)}));
      const possible = tests.every(({matcher, test}) => canMatch(matcher, test)) ? 'maybe' : 'never';
      const absent = certain(tests.every(({test}) => test(undefined)));
      return ({tool}) => (tool ? possible : absent);
    },
    *requires(matchers: ValueMatchers): Iterable<RequiredValue> {
      for (const [pointer, matcher] of Object.entries(matchers)) {
        const path = parseJsonPointer(pointer);
        const texts = matcher && textsOf(matcher);
        if (path && texts) {
          yield {subject: `${name}#${pointer}`, read: (request) => valueAt(root(request), path), ...texts};
        }
      }
    },
    names: () => [],
    example,
    ...inAnyRule,
  };
}

function textsOf({equals, in: list, glob}: ValueMatcher): RequiredTexts | undefined {
  const values = equals === undefined ? list : [equals];
  if (values?.every(isScalar)) return {values, prefixes: []};
  return glob === undefined ? undefined : textsOfGlobs(glob);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
