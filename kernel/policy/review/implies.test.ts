import type {PolicyMatcher} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {compileMatcher} from '../compile-matcher.ts';
import {policyPorts} from '../policy-ports.fixture.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {contradiction} from './contradiction.ts';
import {implies} from './implies.ts';
import {reviewSite} from './review-site.ts';

const site = reviewSite(policyPorts);

const names = ['git:push', 'git:pull', 'mail:send'];
const leaf: fc.Arbitrary<PolicyMatcher> = fc.oneof(
  fc.subarray([...names, 'git:*', '*:*'], {minLength: 1}).map((tool) => ({tool}) as PolicyMatcher),
  fc.subarray(['ann', 'bob', 'a*'], {minLength: 1}).map((actor) => ({actor}) as PolicyMatcher),
  fc
    .subarray(['read', 'write', 'admin'] as const, {minLength: 1})
    .map((permission) => ({permission: [...permission]}) as PolicyMatcher),
  fc.record({low: fc.nat(3), high: fc.nat(3)}).map(({low, high}) => ({arguments: {'/n': {gte: low, lte: high}}})),
  fc.record({gt: fc.nat(3)}).map((bounds) => ({arguments: {'/n': bounds}})),
  fc.nat(3).map((equals) => ({arguments: {'/n': {equals}}})),
  fc.constant({arguments: {'/n': {exists: true}}}),
);
const matchers = fc.letrec<{matcher: PolicyMatcher}>((tie) => ({
  matcher: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    leaf,
    fc.tuple(leaf, leaf).map(([one, other]) => ({...one, ...other})),
    fc.tuple(tie('matcher'), tie('matcher')).map(([one, other]): PolicyMatcher => ({all: [one, other]})),
    fc.tuple(tie('matcher'), tie('matcher')).map(([one, other]): PolicyMatcher => ({any: [one, other]})),
    tie('matcher').map((not): PolicyMatcher => ({not})),
  ),
})).matcher;

/** All requests of a small world. */
const requests: readonly PolicyRequest[] = names.flatMap((tool_name) =>
  ['ann', 'bob', 'eve'].flatMap((actor) =>
    (['read', 'write', 'admin'] as const).flatMap((permission) =>
      [undefined, 0, 1, 2, 3, 2.5].map((n) => ({
        permission,
        context: {
          trigger: 'on_tool_request' as const,
          run_id: 'r',
          tool_name,
          actor,
          tool_arguments: n === undefined ? {} : {n},
        },
      })),
    ),
  ),
);

function matching(matcher: PolicyMatcher): readonly PolicyRequest[] {
  const condition = compileMatcher(matcher, '/when', site);
  return requests.filter((request) => condition(request));
}

test('what is proven is true of every request', () => {
  let proven = 0;
  fc.assert(
    fc.property(matchers, matchers, (specific, general) => {
      if (!implies(specific, general, site)) return;
      proven += 1;
      const wider = matching(general);
      expect(matching(specific).filter((request) => !wider.includes(request))).toEqual([]);
    }),
    {numRuns: 3_000},
  );
  expect(proven).toBeGreaterThan(20);
});

test('what contradicts itself matches no request', () => {
  fc.assert(
    fc.property(matchers, (matcher) => {
      if (contradiction(matcher, site)) expect(matching(matcher)).toEqual([]);
    }),
    {numRuns: 3_000},
  );
});

describe('proofs', () => {
  test.each<[PolicyMatcher, PolicyMatcher]>([
    [{tool: 'git:push', actor: 'ann'}, {tool: 'git:*'}],
    [{tool: 'git:push'}, {any: [{tool: 'mail:*'}, {tool: ['git:push', 'git:pull']}]}],
    [{any: [{tool: 'git:push'}, {tool: 'git:pull'}]}, {tool: 'git:*'}],
    [{arguments: {'/n': {gt: 5}}}, {arguments: {'/n': {gte: 5}}}],
    [{not: {tool: 'git:*'}}, {not: {tool: 'git:push'}}],
    [
      {tainted: 'web:fetch', sink: ['external']},
      {tainted: true, sink: ['external', 'privileged']},
    ],
  ])('%j implies %j', (specific, general) => {
    expect(implies(specific, general, site)).toBe(true);
    expect(implies(general, specific, site)).toBe(false);
  });

  test.each<PolicyMatcher>([
    {tool: 'git:push', not: {tool: 'git:*'}},
    {all: [{actor: 'ann'}, {actor: ['bob', 'eve']}]},
    {role: ['agent'], all: [{role: ['person']}]},
  ])('%j contradicts itself', (matcher) => {
    expect(contradiction(matcher, site)).toBeDefined();
  });

  test('a path may be written inside and outside', () => {
    expect(contradiction({writes: 'a/**', not: {writes: 'a/**'}}, site)).toBeUndefined();
  });
});
