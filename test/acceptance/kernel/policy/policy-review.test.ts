// The review of rules before any call: examples that pass or fail, and rules that decide nothing.
import type {ReviewedRule} from '@lumenflow/kernel';
import {compileWorkspace, reviewPolicies} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler} from '@lumenflow/kernel/node';
import type {PolicyMatcher, PolicyRule, ValueMatcher, WorkspaceSpec} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {filesPack} from '../../../support/stage.ts';

const ports = {compileRegex, monotonic: () => 0, compileSchema: createSchemaCompiler().compileLater};
const everything = [{type: 'path' as const, pattern: '**', access: 'write' as const}];

interface Written {
  readonly rules?: readonly PolicyRule[];
  readonly policies?: WorkspaceSpec['policies'];
  readonly lane?: WorkspaceSpec['lanes'][number]['policies'];
  readonly ofPack?: readonly PolicyRule[];
}

function sourceOf({rules = [], policies, lane, ofPack = []}: Written) {
  const notes = examplePack({id: 'notes', tools: [{name: 'notes:add'}], rules: ofPack});
  const packs = [filesPack, notes];
  const spec: WorkspaceSpec = {
    id: 'ws',
    packs: packs.map(({pin}) => pin),
    lanes: [
      {id: 'core', allowed_scopes: everything, ...(lane && {policies: lane})},
      {id: 'other', allowed_scopes: everything},
    ],
    security: {allowed_scopes: everything},
    policies: policies ?? {default_decision: 'allow', rules: [...rules]},
  };
  return {spec, packs, locate: (pointer: string) => `workspace.yaml#${pointer}`};
}

const review = (written: Written): readonly ReviewedRule[] => reviewPolicies(sourceOf(written), ports);
const call = (id: string, decision: PolicyRule['decision'], when?: PolicyRule['when']): PolicyRule => ({
  id,
  trigger: 'on_tool_request',
  decision,
  ...(when && {when}),
});
const idleIn = (written: Written): Record<string, string> =>
  Object.fromEntries(review(written).flatMap(({rule_id, idle}) => (idle ? [[rule_id, idle.reason]] : [])));

test('each example is reported with its position, its expectation and the rule’s result', () => {
  const examples: PolicyRule['examples'] = [
    {call: {tool: 'files:write'}, expect: 'deny'},
    {call: {tool: 'files:read'}, expect: 'deny'},
  ];
  expect(review({rules: [{...call('no', 'deny', {tool: 'files:write'}), examples}]})).toMatchObject([
    {
      rule_id: 'no',
      layer: 'workspace',
      of: 'ws',
      form: 'matcher',
      examples: [
        {holds: true},
        {holds: false, expect: 'deny', given: 'no_match', where: 'workspace.yaml#/policies/rules/0/examples/1'},
      ],
    },
  ]);
});

test('a condition on the permission holds in an example that names only the tool', () => {
  const examples: PolicyRule['examples'] = [
    {call: {tool: 'files:write'}, expect: 'deny'},
    {call: {tool: 'files:read'}, expect: 'no_match'},
  ];
  const [reviewed] = review({rules: [{...call('no', 'deny', {permission: ['write']}), examples}]});
  expect(reviewed?.examples).toMatchObject([{holds: true}, {holds: true}]);
});

describe('a rule decides nothing', () => {
  test('that fits no tool, lane or claim', () => {
    const rules = [
      call('typo', 'deny', {tool: 'fils:*'}),
      call('admin', 'deny', {tool: 'files:*', permission: ['admin']}),
      call('gone', 'deny', {lane: 'old'}),
      {...call('gone-claim', 'deny', {lane: ['old', 'older']}), trigger: 'on_claim' as const},
      {...call('claim', 'deny', {tool: 'files:*'}), trigger: 'on_claim' as const},
      call('fine', 'deny', {tool: 'files:write', lane: 'other'}),
    ];
    expect(idleIn({rules})).toEqual({
      typo: 'it never matches: no loaded tool fits `fils:*`',
      admin: 'it never matches: no loaded tool fits `files:*`, permission admin',
      gone: 'it never matches: no lane fits `old`',
      'gone-claim': 'it never matches: no lane fits `old`, `older`',
      claim: 'it never matches: on_claim knows a task and a lane, no tool, arguments or metadata',
    });
  });

  test('that an outer deny covers, but not one that fits some of its calls only', () => {
    const rules = [
      call('none', 'deny', {tool: 'files:write'}),
      call('ask', 'approval_required', {tool: 'files:write', arguments: {'/path': {glob: 'x'}}}),
      call('wider', 'approval_required', {tool: 'files:*'}),
      call('again', 'deny', {tool: 'files:write', lane: 'core'}),
    ];
    const lane = {rules: [call('inner', 'deny', {tool: 'files:write'})]};
    const covered = 'rule `none` at workspace.yaml#/policies/rules/0 denies all that it matches, and a deny sticks';
    expect(idleIn({rules, lane})).toEqual({ask: covered, again: covered, inner: covered});
    const ofLane = {rules: [call('none', 'deny', {tool: 'files:write'})]};
    expect(idleIn({rules: [call('ask', 'approval_required', {tool: 'files:write'})], lane: ofLane})).toEqual({});
    const maybe = [
      call('some', 'deny', {tool: 'files:write', task: 't-*'}),
      call('ask', 'approval_required', {tool: 'files:write'}),
    ];
    expect(idleIn({rules: maybe})).toEqual({});
  });

  test('whose layer may not say it', () => {
    const lane = {
      default_decision: 'deny' as const,
      rules: [call('reads', 'allow', {tool: 'files:read'}), call('asks', 'approval_required')],
    };
    const stricter = '`default_decision: deny` of lane `core` is stricter, and it stays';
    expect(idleIn({lane})).toEqual({reads: stricter, asks: stricter});
    expect(idleIn({lane: {rules: lane.rules}})).toEqual({reads: 'a lane may only tighten: its `allow` lifts nothing'});
    expect(idleIn({lane, policies: {default_decision: 'allow', allow_loosening: ['lane']}})).toEqual({});
    expect(idleIn({lane, policies: {}})).toEqual({});
  });
});

test('a pack’s rule over tools of others is reported with the task types it applies in', () => {
  const reviewed = review({
    ofPack: [
      call('own', 'deny', {tool: 'notes:*'}),
      call('foreign', 'deny', {tool: 'files:*'}),
      {...call('claims', 'deny'), trigger: 'on_claim'},
    ],
  });
  expect(reviewed).toMatchObject([
    {rule_id: 'own'},
    {rule_id: 'foreign', only_in_task_types: [expect.any(String)]},
    {rule_id: 'claims'},
  ]);
  expect(reviewed[0]).not.toHaveProperty('only_in_task_types');
  expect(reviewed[2]).not.toHaveProperty('only_in_task_types');
});

test('a name that nothing has is warned of at load, wherever a matcher has it', () => {
  const rules = [
    call('nested', 'deny', {any: [{tool: ['files:read', 'files:reed']}, {all: [{lane: 'cor'}]}]}),
    call('inverted', 'deny', {not: {tool: 'fils:write'}}),
    {...call('claim', 'deny', {lane: 'elsewhere'}), trigger: 'on_claim' as const},
    call('known', 'deny', {tool: ['files:read', 'fils:*'], lane: ['core', 'c*']}),
  ];
  const {problems} = compileWorkspace(sourceOf({rules}), ports);
  expect(problems.map(({code, severity, where, help}) => [code, severity, where, help])).toEqual([
    [
      'POLICY_TOOL_UNKNOWN',
      'warning',
      'workspace.yaml#/policies/rules/0/when/any/0/tool',
      'did you mean `files:read`?',
    ],
    [
      'POLICY_LANE_UNKNOWN',
      'warning',
      'workspace.yaml#/policies/rules/0/when/any/1/all/0/lane',
      'did you mean `core`?',
    ],
    ['POLICY_TOOL_UNKNOWN', 'warning', 'workspace.yaml#/policies/rules/1/when/not/tool', 'did you mean `files:write`?'],
    ['POLICY_LANE_UNKNOWN', 'warning', 'workspace.yaml#/policies/rules/2/when/lane', 'the lanes are core, other'],
  ]);
  const [first] = problems;
  expect(first?.message).toBe('rule `nested` names the tool `files:reed`, which no pack declares: no call matches it');
});

describe('a condition that no input can meet is warned of at load', () => {
  const tools = [
    {
      name: 'git:commit',
      permission: 'write' as const,
      input_schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          message: {type: 'string'},
          lines: {type: 'integer'},
          author: {$ref: '#/$defs/author'},
          tags: {type: 'array', items: {type: 'string'}},
          any: {},
        },
        $defs: {author: {type: 'object', additionalProperties: false, properties: {name: {type: ['string', 'null']}}}},
      },
    },
    {
      name: 'git:log',
      input_schema: {type: 'object', additionalProperties: false, properties: {limit: {type: 'number'}}},
    },
    {name: 'open:tool', input_schema: {type: 'object', properties: {known: {type: 'string'}}}},
  ];
  const warned = (when: PolicyMatcher) => {
    const source = {...sourceOf({rules: [call('r', 'deny', when)]}), packs: [examplePack({id: 'git', tools})]};
    const {problems} = compileWorkspace(
      {...source, spec: {...source.spec, packs: source.packs.map(({pin}) => pin)}},
      ports,
    );
    return problems
      .filter(({code}) => code.startsWith('POLICY_ARGUMENT'))
      .map(({code, where, help}) => [code, where, help]);
  };
  const at = 'workspace.yaml#/policies/rules/0/when';

  test('a pointer that no tool of the rule has', () => {
    expect(warned({tool: 'git:commit', arguments: {'/mesage': {regex: 'x'}}})).toEqual([
      ['POLICY_ARGUMENT_UNKNOWN', `${at}/arguments/~1mesage`, 'did you mean `/message`?'],
    ]);
    expect(warned({tool: 'git:*', not: {arguments: {'/author/nme': {exists: true}}}})).toMatchObject([
      ['POLICY_ARGUMENT_UNKNOWN', `${at}/not/arguments/~1author~1nme`, expect.any(String)],
    ]);
  });

  test('a value of another type', () => {
    for (const matcher of [{equals: 'x'}, {glob: 'a*'}, {in: ['1', 'x']}]) {
      expect(warned({tool: 'git:commit', arguments: {'/lines': matcher as ValueMatcher}})).toMatchObject([
        ['POLICY_ARGUMENT_TYPE', `${at}/arguments/~1lines`, expect.any(String)],
      ]);
    }
    expect(warned({tool: 'git:commit', arguments: {'/message': {gt: 3}}})).toHaveLength(1);
  });

  test.each<PolicyMatcher>([
    {tool: 'git:*', arguments: {'/message': {regex: 'x'}}},
    {arguments: {'/anything': {equals: 1}}},
    {tool: 'git:commit', arguments: {'/author/name': {equals: null}}},
    {tool: 'git:commit', arguments: {'/tags/0': {equals: 'x'}}},
    {tool: 'git:commit', arguments: {'/any': {gt: 1}, '/lines': {in: [1, 'x']}}},
    {tool: 'git:log', arguments: {'/limit': {gte: 1, lt: 5}}},
    {tool: 'gone:tool', arguments: {'/x': {equals: 1}}},
  ])('%j may match', (when) => {
    expect(warned(when)).toEqual([]);
  });
});

test('scopes that grant nothing, and an overlay over everything, are warned of at load', () => {
  const source = sourceOf({});
  const path = (pattern: string, access: 'read' | 'write') => ({type: 'path', pattern, access}) as const;
  const {problems} = compileWorkspace(
    {
      ...source,
      spec: {
        ...source.spec,
        security: {allowed_scopes: [path('lib/', 'write'), path('docs/**', 'read')], deny_overlays: ['**']},
        lanes: [
          {
            id: 'core',
            allowed_scopes: [
              path('src/**', 'write'),
              path('docs/**', 'write'),
              path('lib/a/**', 'write'),
              path('docs/**', 'read'),
              {type: 'network', posture: 'full'},
            ],
          },
        ],
      },
    },
    ports,
  );
  expect(problems.map(({code, severity, where}) => [code, severity, where])).toEqual([
    ['DENY_OVERLAY_COVERS_ALL', 'warning', 'workspace.yaml#/security/deny_overlays/0'],
    ['SCOPE_GRANTS_NOTHING', 'warning', 'workspace.yaml#/lanes/0/allowed_scopes/0'],
    ['SCOPE_GRANTS_NOTHING', 'warning', 'workspace.yaml#/lanes/0/allowed_scopes/1'],
    ['SCOPE_GRANTS_NOTHING', 'warning', 'workspace.yaml#/lanes/0/allowed_scopes/4'],
  ]);
});

test('what cannot be a name is its own problem, and not an unknown name', () => {
  const {problems} = compileWorkspace(sourceOf({rules: [call('braces', 'deny', {tool: 'files:{a,b}'})]}), ports);
  expect(problems.map(({code}) => code)).toEqual(['POLICY_GLOB_INVALID']);
});
