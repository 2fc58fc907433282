// Compares the predicted reach of a rule with the decisions of the compiled rule.
import type {PolicyMatcher, PolicyTrigger, TimeMatcher, ValueMatcher} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {askRule} from '../ask-rule.ts';
import {compileRule} from '../compile-rule.ts';
import {misplacedConditions} from '../misplaced-conditions.ts';
import type {LocatedRule} from '../located-rule.ts';
import {ruleReach, type Situation} from './rule-reach.ts';
import {policyPorts as ports} from '../policy-ports.fixture.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300) * 4;
const values = [0, 1, 2, 'a', 'src/a', true, undefined] as const;
const number = fc.integer({min: 0, max: 2});
const valueMatcher: fc.Arbitrary<ValueMatcher> = fc
  .record(
    {
      equals: fc.constantFrom(0, 1, 'a', true),
      in: fc.subarray([0, 2, 'a', 'src/a'], {minLength: 1}) as fc.Arbitrary<[unknown, ...unknown[]]>,
      glob: fc.constantFrom('a', 'src/*'),
      regex: fc.constantFrom('^a$', 'src'),
      exists: fc.boolean(),
      lt: number,
      lte: number,
      gt: number,
      gte: number,
    },
    {requiredKeys: []},
  )
  .filter((matcher) => Object.keys(matcher).length > 0);
const globs = (...texts: string[]) => fc.subarray(texts, {minLength: 1}).map((list) => list as [string, ...string[]]);
const conditions = {
  tool: globs('file:read', 'file:*', 'git:*', 'no:*'),
  permission: fc.constantFrom<NonNullable<PolicyMatcher['permission']>>(['read'], ['write', 'admin']),
  lane: globs('core', 'o*'),
  task: globs('t-*', 'x'),
  arguments: fc.record({'/n': valueMatcher}),
  metadata: fc.record({'/n': valueMatcher}),
  actor: globs('ann', 'bot-*'),
  surface: fc.constantFrom<NonNullable<PolicyMatcher['surface']>>(['cli'], ['mcp', 'http']),
  role: fc.constantFrom<NonNullable<PolicyMatcher['role']>>(['person'], ['agent', 'operator']),
  time: fc.constantFrom<TimeMatcher>(
    {zone: 'Europe/Berlin', days: 'fri', hours: '08:00-17:00'},
    {zone: 'UTC', days: 'mon', dates: '2026-11-27'},
    {zone: 'UTC', dates: '11-27'},
  ),
  caller: fc.constantFrom({tool: 'file:*'}, {depth: {gte: 2}}, {pack: 'p'}),
  reads: globs('src/**', '*.md'),
  writes: globs('**', 'x'),
};
const leaf: fc.Arbitrary<PolicyMatcher> = fc
  .record(conditions, {requiredKeys: []})
  .filter((made) => Object.keys(made).length > 0);

function around(inner: fc.Arbitrary<PolicyMatcher>): fc.Arbitrary<PolicyMatcher> {
  const several = fc.tuple(inner, inner);
  return fc.oneof(
    leaf,
    fc.record({not: inner}),
    fc.record({all: several}),
    fc.record({any: several, lane: globs('core')}),
  );
}
const matcher = around(around(leaf));

const tools = [
  {name: 'file:read', permission: 'read', touches: ['read']},
  {name: 'file:write', permission: 'write', touches: ['read', 'write']},
  {name: 'git:push', permission: 'admin', touches: []},
] as const;
const triggers = fc.constantFrom<PolicyTrigger[]>('on_tool_request', 'on_claim');
const requests = fc.record({
  tool: fc.constantFrom(...tools),
  lane: fc.constantFrom('core', 'other'),
  task: fc.constantFrom('t-1', 'x', 'y'),
  argument: fc.constantFrom(...values),
  data: fc.constantFrom(...values),
  path: fc.constantFrom('src/a', 'x', undefined),
  actor: fc.constantFrom('ann', 'bot-1'),
  at: fc.constantFrom('2026-11-27T07:10:00.000Z', '2026-11-30T20:00:00.000Z'),
  caller: fc.constantFrom({tool: 'file:read', pack: 'p', depth: 1}, {tool: 'x', pack: 'q', depth: 2}, undefined),
});

function rule(trigger: PolicyTrigger, when: PolicyMatcher): LocatedRule {
  return {rule: {id: 'r', trigger, decision: 'deny', when}, where: 'r'};
}

describe('the reach of a rule', () => {
  test('`never` and `always` are true for every call and claim', () => {
    fc.assert(
      fc.property(
        triggers,
        matcher,
        requests,
        (trigger, when, {tool, lane, task, argument, data, path, caller, actor, at}) => {
          fc.pre(![...misplacedConditions(when, trigger)].length);
          const located = rule(trigger, when);
          const {indexed, problems} = compileRule(located, 'workspace', ports);
          expect(problems).toEqual([]);
          const ofCall = trigger === 'on_tool_request' && {
            tool_name: tool.name,
            tool_arguments: argument === undefined ? {} : {n: argument},
            execution_metadata: data === undefined ? {} : {n: data},
            surface: 'mcp' as const,
            role: 'agent' as const,
            ...(caller && {caller}),
          };
          const request = {
            context: {trigger, run_id: 'r', task_id: task, lane_id: lane, actor, at, ...ofCall},
            ...(ofCall && {permission: tool.permission}),
            ...(ofCall && path !== undefined && {touched: tool.touches.map((access) => ({path, access}))}),
          };
          const governs = indexed.rule.governsTool?.(request.context.tool_name ?? '') ?? true;
          const matches = governs && askRule(indexed.rule, request) !== undefined;
          const situation: Situation = {trigger, lane, ...(ofCall && {tool})};
          const reach = ruleReach(located, ports)(situation);
          expect(reach).not.toBe(matches ? 'never' : 'always');
        },
      ),
      {numRuns},
    );
  });

  const inCore: Situation = {trigger: 'on_tool_request', lane: 'core', tool: tools[0]};
  const claim: Situation = {trigger: 'on_claim', lane: 'core'};
  test.each<[PolicyMatcher, 'never' | 'maybe' | 'always', Situation]>([
    [{tool: 'file:*'}, 'always', inCore],
    [{tool: 'fil:*'}, 'never', inCore],
    [{tool: 'file:*', permission: ['write']}, 'never', inCore],
    [{not: {tool: 'file:*'}}, 'never', inCore],
    [{any: [{tool: 'git:*'}, {lane: 'core'}]}, 'always', inCore],
    [{any: [{tool: 'git:*'}, {task: 't'}]}, 'maybe', inCore],
    [{lane: 'old'}, 'never', inCore],
    [{arguments: {'/n': {gt: 5, lt: 3}}}, 'never', inCore],
    [{arguments: {'/n': {gte: 3, lte: 3}}}, 'maybe', inCore],
    [{arguments: {'/n': {gt: 3, lte: 3}}}, 'never', inCore],
    [{arguments: {'/n': {gt: 1, glob: 'a'}}}, 'never', inCore],
    [{arguments: {'/n': {exists: false, equals: 1}}}, 'never', inCore],
    [{arguments: {'/n': {equals: 'b', regex: '^a'}}}, 'never', inCore],
    [{metadata: {'/n': {in: [1, 2], gt: 2}}}, 'never', inCore],
    [{arguments: {'/n': {exists: true}}}, 'never', claim],
    [{arguments: {'/n': {exists: false}}}, 'always', claim],
    [{tool: '*'}, 'never', claim],
    [{permission: ['read']}, 'never', claim],
    [{reads: 'src/**'}, 'maybe', inCore],
    [{writes: 'src/**'}, 'never', inCore],
    [{reads: '**'}, 'never', claim],
    [{writes: 'src/**'}, 'maybe', {...inCore, trigger: 'on_changes'}],
  ])('%j is %s', (when, expected, situation) => {
    expect(ruleReach(rule(situation.trigger, when), ports)(situation)).toBe(expected);
  });

  test('a function may answer anything, no condition is always met, another trigger never', () => {
    const bare = {id: 'r', trigger: 'on_claim', decision: 'deny'} as const;
    expect(ruleReach({rule: {...bare, when: () => false}, where: 'r'}, ports)(claim)).toBe('maybe');
    expect(ruleReach({rule: bare, where: 'r'}, ports)(claim)).toBe('always');
    expect(ruleReach({rule: bare, where: 'r'}, ports)(inCore)).toBe('never');
  });
});
