// The index omits rules that cannot match, and no others: it is compared with asking each rule.
import type {PolicyMatcher, PolicyRule} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {askRule} from './ask-rule.ts';
import {compileRule} from './compile-rule.ts';
import {requestInput, type PolicyRequest} from './policy-request.ts';
import {indexRules, type IndexedRule} from './rule-index.ts';
import {policyPorts as ports} from './policy-ports.fixture.ts';

function compile(
  matchers: readonly PolicyMatcher[],
  {trigger = 'on_tool_request'}: {readonly trigger?: PolicyRule['trigger']} = {},
): readonly IndexedRule[] {
  return matchers.map((when, index) => {
    const rule: PolicyRule = {id: `rule-${index}`, trigger, decision: 'deny', when};
    const {indexed, problems} = compileRule({rule, where: ''}, 'workspace', ports);
    expect(problems).toEqual([]);
    return indexed;
  });
}

function request(call: Partial<PolicyRequest['context']>, permission?: PolicyRequest['permission']): PolicyRequest {
  return {
    permission,
    context: {trigger: 'on_tool_request', run_id: 'run-1', tool_name: 'files:read', ...call},
  };
}

function asked(matchers: readonly PolicyMatcher[], about: PolicyRequest): readonly string[] {
  return idsFor(compile(matchers), about);
}

function idsFor(rules: readonly IndexedRule[], about: PolicyRequest): readonly string[] {
  return indexRules(rules)
    .rulesFor(about)
    .map((rule) => rule.statement.said.rule_id);
}

const thousand = Array.from({length: 1_000}, (_, index) => index);

describe('of a thousand rules for every tool are asked only those', () => {
  const about = request(
    {
      tool_arguments: {path: 'dir-7/secret', n: 7, deep: {er: 'x-7'}, line: 'cd x && sudo bin-7 -v push | tail'},
      execution_metadata: {team: 'team-7'},
      task_id: 'task-7',
      actor: 'actor-7',
      // Friday, 08:10 in Berlin.
      at: '2026-11-27T07:10:00.000Z',
      surface: 'mcp',
      role: 'agent',
      lane_id: 'lane-7',
    },
    'write',
  );
  test.each<[string, (index: number) => PolicyMatcher, readonly string[]]>([
    ['whose argument may be equal', (n) => ({arguments: {'/n': {equals: n}}}), ['rule-7']],
    ['whose argument may be in the list', (n) => ({arguments: {'/n': {in: [n, n + 1]}}}), ['rule-6', 'rule-7']],
    ['whose argument may fit the glob', (n) => ({arguments: {'/path': {glob: `dir-${n}/**`}}}), ['rule-7']],
    ['whose argument is the very text', (n) => ({arguments: {'/deep/er': {glob: [`x-${n}`, `y-${n}*`]}}}), ['rule-7']],
    ['whose metadata may be equal', (n) => ({metadata: {'/team': {equals: `team-${n}`}}}), ['rule-7']],
    ['whose task it may be', (n) => ({task: `task-${n}`}), ['rule-7']],
    ['whose lane it may be', (n) => ({lane: [`lane-${n}`, `line-${n}`]}), ['rule-7']],
    ['whose actor it may be', (n) => ({actor: [`actor-${n}`, `bot-${n}-*`]}), ['rule-7']],
    ['whose surface it is', (n) => ({surface: [n < 999 ? 'cli' : 'mcp']}), ['rule-999']],
    ['whose role it is', (n) => ({role: [n < 999 ? 'operator' : 'agent']}), ['rule-999']],
    [
      'whose hour it may be',
      (n) => ({time: {zone: 'Europe/Berlin', days: 'fri', hours: n < 999 ? '09:00-07:30' : '08:59-07:30'}}),
      ['rule-999'],
    ],
    ['whose command it may be', (n) => ({command: {argument: '/line', runs: `bin-${n} push`}}), ['rule-7']],
    ['whose permission it is', (n) => ({permission: [n < 998 ? 'read' : 'write']}), ['rule-998', 'rule-999']],
    ['whose conjunction may hold', (n) => ({all: [{not: {task: 'x'}}, {arguments: {'/n': {equals: n}}}]}), ['rule-7']],
  ])('%s', (_, matcher, expected) => {
    expect(asked(thousand.map(matcher), about)).toEqual(expected);
  });
});

describe('of a thousand rules on results are asked only those', () => {
  const about: PolicyRequest = {
    ...request({trigger: 'on_tool_result'}),
    output: () => ['x', '', 'it is key-7-abcd and key', '-9-abcd'],
  };
  const rules = compile(
    thousand.map((n) => ({output: {regex: n === 3 ? 'key-3|abc' : `key-${n}-[a-z]{4}`}})),
    {trigger: 'on_tool_result'},
  );
  test('whose text the result may contain', () => {
    expect(idsFor(rules, about)).toEqual(['rule-3', 'rule-7']);
  });
  test('that are assumed to match, before there is a result', () => {
    expect(idsFor(rules, {...about, supposed_output: true})).toHaveLength(1_000);
    expect(idsFor(rules, {...about, output: undefined as never})).toHaveLength(1_000);
  });
});

test.each<[string, PolicyMatcher]>([
  ['a glob that begins with a wildcard', {arguments: {'/path': {glob: ['other', '**/x']}}}],
  ['a regex', {arguments: {'/path': {regex: 'x'}}}],
  ['a list with an object in it', {arguments: {'/path': {in: ['other', {}]}}}],
  ['alternatives', {any: [{arguments: {'/path': {equals: 'other'}}}, {task: 'task-1'}]}],
  ['a negation', {not: {arguments: {'/path': {equals: 'other'}}}}],
])('a rule is always asked when it has %s', (_, matcher) => {
  expect(asked([matcher], request({tool_arguments: {path: 'a'}}))).toEqual(['rule-0']);
});

test('an argument that cannot be read leaves its rules to say so', () => {
  const unreadable = {
    get path(): string {
      throw new Error('no');
    },
  };
  const rules = indexRules(compile([{arguments: {'/path': {equals: 'a'}}}]));
  const about = request({tool_arguments: unreadable});
  expect(rules.rulesFor(about).map((rule) => askRule(rule, about)?.failed)).toEqual([true]);
});

const scalar = fc.constantFrom<unknown[]>(
  'b c; X/a d',
  'sudo a b | c',
  'a $b',
  '$a',
  'if a',
  'a',
  'a/b',
  'b',
  '',
  0,
  -0,
  1,
  true,
  null,
  ['a'],
  {x: 1},
);
const glob = fc.constantFrom('a', 'a/*', 'a/**', '*', '**/b', 'b?', 'a**', 'x');
const globs = fc.oneof(glob, fc.tuple(glob, glob));
const id = fc.constantFrom('a', 'b*', 'ab', '*', '?b');
const valueMatcher = fc.oneof(
  fc.record({equals: scalar}),
  fc.record({in: fc.tuple(scalar, scalar)}),
  fc.record({glob: globs}),
  fc.record({exists: fc.boolean()}),
  fc.record({equals: scalar, glob: globs}),
);
const {matcher} = fc.letrec<{matcher: PolicyMatcher; flat: PolicyMatcher}>((tie) => ({
  flat: fc.oneof(
    fc.record({arguments: fc.dictionary(fc.constantFrom('/p', '/q/0', ''), valueMatcher, {minKeys: 1, maxKeys: 2})}),
    fc.record({metadata: fc.record({'/p': valueMatcher})}),
    fc.record({
      command: fc.record({
        argument: fc.constant('/p'),
        runs: fc.constantFrom('a b', 'a d', 'c', 'A', '*d', 'x/?', '* d'),
      }),
    }),
    fc.record({task: id, lane: id}),
    fc.record({permission: fc.constantFrom<['read'] | ['write', 'admin']>(['read'], ['write', 'admin'])}),
    fc.record({tool: fc.constantFrom('files:*', 'git:*'), task: id}),
  ),
  matcher: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    tie('flat'),
    fc.record({all: fc.tuple(tie('matcher'), tie('matcher'))}),
    fc.record({any: fc.tuple(tie('matcher'), tie('matcher'))}),
    fc.record({not: tie('matcher')}),
  ),
}));
const anyRequest = fc
  .record({
    permission: fc.constantFrom<('read' | 'write')[]>('read', 'write'),
    tool_arguments: fc.oneof(fc.record({p: scalar, q: fc.array(scalar, {maxLength: 2})}), scalar),
    execution_metadata: fc.record({p: scalar}),
    task_id: fc.constantFrom('a', 'ab', 'bb'),
    lane_id: fc.constantFrom('a', 'ab', 'bb'),
  })
  .map(({permission, tool_arguments, ...call}) => {
    const {context, ...input} = requestInput(tool_arguments);
    return {...request({...call, ...context}, permission), ...input};
  });

test('what the index finds matches as all rules do, in order', () => {
  fc.assert(
    fc.property(fc.array(matcher, {minLength: 1, maxLength: 8}), anyRequest, (matchers, about) => {
      const rules = compile(matchers);
      const {tool_name = ''} = about.context;
      const matches = ({rule}: (typeof rules)[number]): boolean =>
        rule.governsTool?.(tool_name) !== false && askRule(rule, about) !== undefined;
      const found = indexRules(rules).rulesFor(about);
      expect(found.filter((rule) => askRule(rule, about))).toEqual(rules.filter(matches).map(({rule}) => rule));
    }),
    {numRuns: 500},
  );
});
