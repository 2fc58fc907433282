import {describe, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {
  compilePolicyLayer,
  evaluatePolicy,
  evidenceDataOf,
  hasRulesFor,
  type LocatedRule,
  type PolicyLayerSource,
} from './index.ts';
import {policyPorts as ports} from './policy-ports.fixture.ts';

function located(rule: unknown, line = 1): LocatedRule {
  const where = `workspace.yaml:${line}:1`;
  return {rule: rule as LocatedRule['rule'], where, locate: (pointer) => `${where}${pointer}`};
}

function compile(rules: readonly LocatedRule[], source: Partial<PolicyLayerSource> = {}) {
  return compilePolicyLayer({layer: 'workspace', default_decision: 'allow', ports, ...source, rules});
}

const rule = {id: 'r', trigger: 'on_tool_request', decision: 'approval_required'} as const;

test('a rule of on_changes that looks at what is read is an error that says what to write', () => {
  const {problems} = compile([located({...rule, trigger: 'on_changes', when: {all: [{not: {reads: 'a/**'}}]}})]);
  expect(problems).toEqual([
    {
      code: 'POLICY_MATCHER_INVALID',
      severity: 'error',
      message: '`reads` has no meaning in a rule of on_changes',
      where: 'workspace.yaml:1:1/when/all/0/not/reads',
      help: expect.stringContaining('use `writes` or `changes`') as string,
    },
  ]);
});

describe('a malformed rule', () => {
  const when = (value: unknown): unknown => ({...rule, when: value});
  test.each([
    ['no object', null, 'POLICY_RULE_INVALID', ''],
    ['no id', {...rule, id: undefined}, 'POLICY_RULE_INVALID', '/id'],
    ['a bad id', {...rule, id: 'a b'}, 'POLICY_RULE_INVALID', '/id'],
    ['an unknown trigger', {...rule, trigger: 'on_call'}, 'POLICY_RULE_INVALID', '/trigger'],
    ['an unknown decision', {...rule, decision: 'permit'}, 'POLICY_RULE_INVALID', '/decision'],
    ['a decision from a prototype', {...rule, decision: 'toString'}, 'POLICY_RULE_INVALID', '/decision'],
    ['a reason that is no text', {...rule, reason: 1}, 'POLICY_RULE_INVALID', '/reason'],
    ['self_approval that is no boolean', {...rule, self_approval: 'yes'}, 'POLICY_RULE_INVALID', '/self_approval'],
    ['a when that is a list', when([]), 'POLICY_RULE_INVALID', '/when'],
    ['examples that are no list', {...rule, examples: {}}, 'POLICY_RULE_INVALID', '/examples'],
    ['what JSON cannot hold', when({arguments: {'/a': {equals: Number.NaN}}}), 'POLICY_RULE_INVALID', ''],
    [
      'changes before the call',
      when({any: [{changes: {max_files: 1}}]}),
      'POLICY_MATCHER_INVALID',
      '/when/any/0/changes',
    ],
    ['an empty when', when({}), 'POLICY_MATCHER_INVALID', '/when'],
    ['an unknown condition', when({tools: 'a'}), 'POLICY_MATCHER_INVALID', '/when/tools'],
    ['an empty all', when({all: []}), 'POLICY_MATCHER_INVALID', '/when/all'],
    ['an any of no matchers', when({any: ['a']}), 'POLICY_MATCHER_INVALID', '/when/any/0'],
    ['an unknown condition within', when({any: [{not: {x: 1}}]}), 'POLICY_MATCHER_INVALID', '/when/any/0/not/x'],
    ['an unknown permission', when({permission: ['root']}), 'POLICY_MATCHER_INVALID', '/when/permission'],
    ['arguments that are no object', when({arguments: []}), 'POLICY_MATCHER_INVALID', '/when/arguments'],
    ['no pointer', when({arguments: {a: {exists: true}}}), 'POLICY_MATCHER_INVALID', '/when/arguments/a'],
    ['no operator', when({metadata: {'/a': {}}}), 'POLICY_MATCHER_INVALID', '/when/metadata/~1a'],
    ['an unknown operator', when({arguments: {'/a': {eq: 1}}}), 'POLICY_MATCHER_INVALID', '/when/arguments/~1a/eq'],
    ['an in that is no list', when({arguments: {'/a': {in: 'x'}}}), 'POLICY_MATCHER_INVALID', '/when/arguments/~1a/in'],
    [
      'a bound that is no number',
      when({arguments: {'/a': {lt: '1'}}}),
      'POLICY_MATCHER_INVALID',
      '/when/arguments/~1a/lt',
    ],
    [
      'exists without a boolean',
      when({arguments: {'/a': {exists: 1}}}),
      'POLICY_MATCHER_INVALID',
      '/when/arguments/~1a/exists',
    ],
    [
      'a regex that is no text',
      when({arguments: {'/a': {regex: 1}}}),
      'POLICY_MATCHER_INVALID',
      '/when/arguments/~1a/regex',
    ],
    ['a bad regex', when({arguments: {'/a': {regex: '('}}}), 'POLICY_REGEX_INVALID', '/when/arguments/~1a/regex'],
    ['a look-ahead', when({arguments: {'/a': {regex: '(?=a)'}}}), 'POLICY_REGEX_INVALID', '/when/arguments/~1a/regex'],
    ['braces in a glob', when({arguments: {'/a': {glob: '{a,b}'}}}), 'POLICY_GLOB_INVALID', '/when/arguments/~1a/glob'],
    ['a tool that cannot be', when({tool: 'file:a:b'}), 'POLICY_GLOB_INVALID', '/when/tool'],
    ['a tool that is no text', when({tool: [1]}), 'POLICY_GLOB_INVALID', '/when/tool'],
    ['no tool', when({tool: []}), 'POLICY_GLOB_INVALID', '/when/tool'],
    ['a lane that cannot be', when({lane: 'a/b'}), 'POLICY_GLOB_INVALID', '/when/lane'],
  ])('%s is an error at its place, and denies', (_, malformed, code, pointer) => {
    const {layer, problems} = compile([located(malformed)]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({code, severity: 'error', where: `workspace.yaml:1:1${pointer}`});
    const result = evaluatePolicy({
      layers: {workspace: layer},
      allowLoosening: [],
      request: {context: {trigger: 'on_tool_request', run_id: 'run-1', tool_name: 'file:read'}},
    });
    expect(result.decision).toBe('deny');
    expect(result.deciding.reason).toContain('malformed');
  });

  test('a glob that the regex engine refuses', () => {
    const refusing = {...ports, compileRegex: () => failed('too long')};
    const {problems} = compile([located({...rule, when: {tool: 'file:*'}})], {ports: refusing});
    expect(problems).toMatchObject([{code: 'POLICY_GLOB_INVALID', message: expect.stringContaining('too long')}]);
  });

  test('without locate, problems are located at the rule', () => {
    const {problems} = compile([{rule: {...rule, when: {tool: '!'}}, where: 'pack/manifest.yaml:3:5'}]);
    expect(problems[0]?.where).toBe('pack/manifest.yaml:3:5');
  });

  test('an unknown default denies', () => {
    const {layer, problems} = compile([], {default_decision: 'yes' as 'allow', default_where: 'workspace.yaml:2:3'});
    expect(problems).toMatchObject([{code: 'POLICY_DEFAULT_INVALID', severity: 'error', where: 'workspace.yaml:2:3'}]);
    expect(layer.default?.said.decision).toBe('deny');
  });
});

describe('ids', () => {
  test('used twice', () => {
    const {problems} = compile([located(rule, 1), located({...rule, trigger: 'on_claim'}, 9)]);
    expect(problems).toMatchObject([
      {code: 'POLICY_RULE_DUPLICATE', severity: 'error', where: 'workspace.yaml:9:1/id'},
    ]);
    expect(problems[0]?.message).toContain('workspace.yaml:1:1/id');
  });

  test.each(['kernel.scope.boundary', 'kernel.scope.reserved-path', 'kernel.reconciliation', 'kernel.mine'])(
    '%s is reserved',
    (id) => {
      expect(compile([located({...rule, id})]).problems).toMatchObject([
        {code: 'POLICY_RULE_RESERVED', severity: 'error'},
      ]);
    },
  );

  test.each([
    ['denies', {decision: 'deny'}],
    ['is asked of claims', {trigger: 'on_claim'}],
    ['allows some calls', {when: {permission: ['read']}}],
  ])('kernel.policy.allow-all is not a valid id for a rule that %s', (_, other) => {
    const allowAll = {id: 'kernel.policy.allow-all', trigger: 'on_tool_request', decision: 'allow'};
    expect(compile([located({...allowAll, ...other})]).problems).toMatchObject([
      {code: 'POLICY_RULE_RESERVED', severity: 'error'},
    ]);
  });

  test('kernel.policy.allow-all is for the workspace, with a warning', () => {
    const allowAll = located({id: 'kernel.policy.allow-all', trigger: 'on_tool_request', decision: 'allow'});
    expect(compile([allowAll]).problems).toMatchObject([{code: 'POLICY_ALLOW_ALL', severity: 'warning'}]);
    expect(compile([allowAll], {layer: 'lane'}).problems).toMatchObject([
      {code: 'POLICY_RULE_RESERVED', severity: 'error'},
    ]);
  });
});

describe('examples', () => {
  const guarded = {
    ...rule,
    when: {
      tool: 'git:push',
      permission: ['admin'],
      lane: 'core',
      task: 'a*',
      arguments: {'/force': {equals: true}},
      metadata: {'/by': {exists: true}},
    },
  };
  const call = {
    tool: 'git:push',
    permission: 'admin',
    lane: 'core',
    task: 'ab',
    arguments: {force: true},
    metadata: {by: 'x'},
  };

  test('that pass are not reported', () => {
    const none = Object.keys(call).map((key) => ({call: {...call, [key]: undefined}, expect: 'no_match'}));
    expect(compile([located({...guarded, examples: [{call, expect: 'approval_required'}, ...none]})]).problems).toEqual(
      [],
    );
  });

  test('that fail are errors at their place', () => {
    const examples = [
      {call, expect: 'no_match'},
      {call, expect: 'deny'},
      {call: {...call, tool: 'git:pull'}, expect: 'approval_required'},
      {call},
      null,
    ];
    expect(compile([located({...guarded, examples})]).problems).toMatchObject([
      {
        code: 'POLICY_EXAMPLE_FAILED',
        where: 'workspace.yaml:1:1/examples/0',
        message: expect.stringContaining('gives `approval_required`'),
      },
      {code: 'POLICY_EXAMPLE_FAILED', where: 'workspace.yaml:1:1/examples/1'},
      {
        code: 'POLICY_EXAMPLE_FAILED',
        where: 'workspace.yaml:1:1/examples/2',
        message: expect.stringContaining('gives `no_match`'),
      },
      {code: 'POLICY_RULE_INVALID', where: 'workspace.yaml:1:1/examples/3'},
      {code: 'POLICY_RULE_INVALID', where: 'workspace.yaml:1:1/examples/4'},
    ]);
  });

  test('a rule without when matches every example', () => {
    expect(compile([located({...rule, examples: [{call: {}, expect: 'approval_required'}]})]).problems).toEqual([]);
  });
});

test('rules are found by their trigger', () => {
  const triggers = ['on_tool_request', 'on_claim', 'on_completion', 'on_evidence_added', 'on_changes'] as const;
  for (const trigger of triggers) {
    const {layer} = compile([located({...rule, trigger})]);
    for (const other of triggers) {
      const decided = evaluatePolicy({
        layers: {workspace: layer},
        allowLoosening: [],
        request: {context: {trigger: other, run_id: 'r'}},
      });
      expect(decided.decision).toBe(other === trigger ? 'approval_required' : 'allow');
      expect(hasRulesFor({workspace: layer}, other)).toBe(other === trigger);
    }
  }
});

test('a layer knows what its rules look at in the evidence', () => {
  const when = (): boolean => true;
  const looking = (id: string, evidence_data?: readonly string[]) =>
    located({id, trigger: 'on_tool_request', decision: 'deny', when, ...(evidence_data && {evidence_data})});
  expect(compile([looking('a')]).layer.evidenceData).toBeUndefined();
  expect(compile([looking('a'), looking('b', [])]).layer.evidenceData).toEqual([]);
  const {layer} = compile([looking('a', ['usage']), looking('b', ['usage', 'cost'])]);
  expect(layer.evidenceData).toEqual(['usage', 'cost']);
  expect(evidenceDataOf({workspace: layer, lane: compile([looking('c')]).layer})).toEqual(['usage', 'cost']);
  expect(evidenceDataOf({workspace: compile([looking('a')]).layer})).toBeUndefined();
  expect(compile([looking('a', 'usage' as never)]).problems).toMatchObject([{code: 'POLICY_RULE_INVALID'}]);
});
