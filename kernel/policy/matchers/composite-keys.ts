// `all`, `any` and `not`: matchers of matchers.
import type {PolicyMatcher} from '@lumenflow/schemas';
import type {MatcherSite} from '../matcher-site.ts';
import type {Condition} from '../policy-request.ts';
import {allOf, opposite} from './certainty.ts';
import {inAnyRule, type CompileNested, type MatcherKey} from './matcher-key.ts';

type Matchers = readonly PolicyMatcher[];

const sayNothing: Pick<MatcherKey, 'example' | 'insteadIn'> = {example: () => ({}), ...inAnyRule};

export const allKey: MatcherKey = {
  compile(operand, pointer, site, nested) {
    const conditions = compileList(operand, pointer, site, nested);
    return (request) => conditions.every((condition) => condition(request));
  },
  reach: (matchers: Matchers, _site, nested) => allOf(matchers.map(nested)),
  *requires(matchers: Matchers, nested) {
    for (const matcher of matchers) yield* nested(matcher);
  },
  names: namesInList,
  ...sayNothing,
};

export const anyKey: MatcherKey = {
  compile(operand, pointer, site, nested) {
    const conditions = compileList(operand, pointer, site, nested);
    return (request) => conditions.some((condition) => condition(request));
  },
  reach: (matchers: Matchers, _site, nested) => opposite(allOf(matchers.map((matcher) => opposite(nested(matcher))))),
  requires: () => [],
  names: namesInList,
  ...sayNothing,
};

export const notKey: MatcherKey = {
  compile(operand, pointer, site, nested) {
    const condition = nested(operand, pointer, {...site, isPermissive: !site.isPermissive});
    return (request) => !condition(request);
  },
  reach: (matcher: PolicyMatcher, _site, nested) => opposite(nested(matcher)),
  requires: () => [],
  names: (matcher: PolicyMatcher, at, nested) => nested(matcher, at),
  ...sayNothing,
};

function compileList(
  operand: unknown,
  pointer: string,
  site: MatcherSite,
  nested: CompileNested['compile'],
): readonly Condition[] {
  if (!Array.isArray(operand) || operand.length === 0) {
    return [site.reject(pointer, 'POLICY_MATCHER_INVALID', 'expected a non-empty list of matchers')];
  }
  return operand.map((matcher, index) => nested(matcher, `${pointer}/${index}`, site));
}

function* namesInList(
  ...[matchers, at, nested]: Parameters<MatcherKey['names']> extends [unknown, ...infer Rest]
    ? [Matchers, ...Rest]
    : never
): ReturnType<MatcherKey['names']> {
  for (const [index, matcher] of matchers.entries()) yield* nested(matcher, `${at}/${index}`);
}
