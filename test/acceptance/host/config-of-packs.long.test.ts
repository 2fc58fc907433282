// ignored-config: for each key of a manifest a test that fails when the key is ignored.
import type {Host, Session} from '@lumenflow/host';
import {afterEach, expect, test} from 'vitest';
import {codeOf, everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {toolsOfPacks} from '../../support/tools-of-packs.ts';
import {opened} from '../../support/opened.ts';

const workspaces: HostWorkspace[] = [];
afterEach(async () => await Promise.all(workspaces.splice(0).map((workspace) => workspace.remove())));

interface Words {
  readonly tool?: object;
  readonly more?: readonly object[];
  readonly manifest?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly env?: Record<string, string>;
  readonly trust?: 'in_process';
}

const code = `
export const tool = (input, context) => ({input, config: context.config ?? null, env: context.env, inside: process.env.MY_TOKEN ?? null});
export const text = () => 'a text';
export const nap = () => new Promise((resolve) => setTimeout(resolve, 30_000));
export const caller = async (input, context) => await context.callTool(input.name, {});
export const memory = () => { const kept = []; for (let n = 0; ; n++) kept.push(new Array(1_000_000).fill(n)); };
export const print = () => { console.log('x'.repeat(100_000)); };
`;

const declare = (name: string, more: object = {}): object => ({
  name,
  description: name,
  handler_entry: `tool.mjs#${name.split(':')[1]}`,
  permission: 'read',
  required_scopes: [{type: 'path', pattern: '**', access: 'read'}],
  ...more,
});

/** The pack `p`, whose tool is `p:tool`. */
async function start(words: Words = {}): Promise<{host: Host; session: Session; workspace: HostWorkspace}> {
  const {tool = {}, more = [], manifest = {}, files = {}, spec = {}, env, trust} = words;
  const whole = {
    id: 'p',
    version: '1.0.0',
    manifest_version: 1,
    task_types: ['work'],
    tools: [declare('p:tool', tool), ...more],
    ...manifest,
  };
  const pin = {id: 'p', version: '1.0.0', integrity: 'dev', source: 'local', path: 'p', ...(trust && {trust})};
  const workspace = makeHostWorkspace({
    files: {'p/manifest.yaml': JSON.stringify(whole), 'p/tool.mjs': code, 'docs/a.md': 'a\n', ...files},
    spec: {packs: [pin], ...spec} as object,
  });
  workspaces.push(workspace);
  const host = await workspace.start({env: {PATH: process.env['PATH'], ...env}});
  return {workspace, host, session: opened(await host.openSession({by: 'tester', task: {type: 'work'}}))};
}

const failsToLoad = async (words: Words, said: RegExp): Promise<void> => {
  await expect(start(words)).rejects.toThrow(said);
};

test('ignored-config: required_env: given when asked for, absent otherwise, named when missing', async () => {
  const env = {MY_TOKEN: 't-1', OTHER: 'o'};
  const {session} = await start({env, tool: {required_env: ['MY_TOKEN']}, more: [declare('p:caller')]});
  expect(await must(session, 'p:tool')).toMatchObject({env: {MY_TOKEN: 't-1'}, inside: null});
  const without = await start({env});
  expect(await must(without.session, 'p:tool')).toMatchObject({env: {}, inside: null});
  const missing = await start({tool: {required_env: ['MY_TOKEN']}});
  expect((await missing.session.call('p:tool', {})).error).toMatchObject({details: {missing_env: ['MY_TOKEN']}});
});

test('ignored-config: required_scopes: what the tool does not require it does not get', async () => {
  const {session} = await start({tool: {required_scopes: [{type: 'path', pattern: 'docs/**', access: 'write'}]}});
  expect(await codeOf(session, 'p:tool')).toBe('success');
  const narrow = await start({
    tool: {required_scopes: [{type: 'path', pattern: 'docs/**', access: 'write'}]},
    spec: {lanes: [{id: 'core', allowed_scopes: [{type: 'path', pattern: 'src/**', access: 'write'}]}]},
  });
  expect((await narrow.session.call('p:tool', {})).error).toMatchObject({
    code: 'SCOPE_DENIED',
    details: {layer: 'lane'},
  });
});

test('ignored-config: permission: rules can match it, listings show it', async () => {
  const rules = [{id: 'no-admins', trigger: 'on_tool_request', decision: 'deny', when: {permission: ['admin']}}];
  const {session} = await start({
    tool: {permission: 'admin'},
    more: [declare('p:text')],
    spec: {policies: {default_decision: 'allow', rules}},
  });
  expect(await codeOf(session, 'p:tool')).toBe('POLICY_DENIED');
  expect(toolsOfPacks(await session.tools()).map(({tool}) => `${tool.name} ${tool.declaration.permission}`)).toEqual([
    'p:text read',
  ]);
});

test('ignored-config: internal_only: only other tools may call it', async () => {
  const {session} = await start({tool: {internal_only: true}, more: [declare('p:caller')]});
  expect((await session.call('p:tool', {})).success).toBe(false);
  expect(await codeOf(session, 'p:caller', {name: 'p:tool'})).toBe('success');
  expect(toolsOfPacks(await session.tools()).map(({tool}) => tool.name)).toEqual(['p:caller']);
});

test.each([
  ['in_process', 'in_process', 'pool'],
  ['in_process', undefined, 'sandbox'],
  ['subprocess', 'in_process', 'sandbox'],
  [undefined, 'in_process', 'sandbox'],
] as const)('ignored-config: handler %s with trust %s runs in the %s', async (handler, trust, mode) => {
  const {host, session} = await start({...(trust && {trust}), tool: {...(handler && {handler})}});
  const output = await session.call('p:tool', {});
  const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
  expect(receipt?.started.execution_mode).toBe(mode);
});

test('ignored-config: timeout_ms and limits', async () => {
  const {host, session} = await start({
    more: [
      declare('p:nap', {timeout_ms: 400}),
      declare('p:memory', {limits: {memory_bytes: 64 * 1024 * 1024}, timeout_ms: 30_000}),
      declare('p:print', {limits: {output_bytes: 1000}}),
    ],
  });
  expect(await codeOf(session, 'p:nap')).toBe('TOOL_TIMEOUT');
  expect((await session.call('p:memory', {})).error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringMatching(/memory/),
  });
  const printed = await session.call('p:print', {});
  const receipt = await host.runtime.evidence.receipt(String(printed.metadata?.receipt_id));
  expect((await host.runtime.evidence.readBlob(String(receipt?.finished?.log_ref)))?.length).toBeLessThan(1500);
});

test('ignored-config: input_schema and output_schema, with anyOf, $ref, nullable and format', async () => {
  const input_schema = {
    type: 'object',
    required: ['when'],
    additionalProperties: false,
    properties: {
      when: {type: 'string', format: 'date-time'},
      size: {anyOf: [{type: 'integer'}, {const: 'all'}]},
      name: {type: ['string', 'null']},
      same: {$ref: '#/$defs/small'},
      other: {$ref: 'small.schema.json'},
    },
    $defs: {small: {type: 'integer', maximum: 3}},
  };
  const {session} = await start({
    tool: {input_schema},
    more: [declare('p:text', {output_schema: {type: 'integer'}})],
    files: {'p/small.schema.json': JSON.stringify({type: 'integer', maximum: 3})},
  });
  const when = '2026-01-01T00:00:00Z';
  for (const good of [{when}, {when, size: 'all', name: null, same: 3, other: 1}]) {
    expect(await codeOf(session, 'p:tool', good)).toBe('success');
  }
  const bad: readonly [object, string][] = [
    [{}, ''],
    [{when: 'today'}, '/when'],
    [{when, size: 'some'}, '/size'],
    [{when, name: 1}, '/name'],
    [{when, same: 4}, '/same'],
    [{when, other: 4}, '/other'],
    [{when, more: 1}, ''],
  ];
  for (const [input, pointer] of bad) {
    const {error} = await session.call('p:tool', input);
    expect(error, JSON.stringify(input)).toMatchObject({code: 'INVALID_INPUT'});
    expect(JSON.stringify(error?.details)).toContain(`"pointer":"${pointer}`);
  }
  expect(await codeOf(session, 'p:text')).toBe('INVALID_OUTPUT');
});

test('ignored-config: config_key and config_schema: the config is checked and reaches the handler', async () => {
  const manifest = {config_key: 'p_config', config_schema: 'config.schema.json'};
  const schema = {
    type: 'object',
    required: ['depth'],
    additionalProperties: false,
    properties: {depth: {type: 'integer'}},
  };
  const files = {'p/config.schema.json': JSON.stringify(schema)};
  const {session} = await start({manifest, files, spec: {p_config: {depth: 2}}});
  expect(await must(session, 'p:tool')).toMatchObject({config: {depth: 2}});
  await failsToLoad({manifest, files, spec: {p_config: {depth: 'two'}}}, /workspace\.yaml:\d+:\d+: .*depth/);
  await failsToLoad({manifest, files}, /needs a config/);
});

test('ignored-config: policies and policy_factory of a pack govern its own tools', async () => {
  const rule = {id: 'p.no', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'p:text'}};
  const factory = `export const rules = ({config}) => [{id: 'p.factory', trigger: 'on_tool_request', decision: config.decision,
    when: ({tool_name, tool_arguments}) => tool_name === 'p:tool' && tool_arguments.danger === true}];\n`;
  const {session} = await start({
    more: [declare('p:text')],
    manifest: {policies: [rule], policy_factory: 'rules.mjs#rules', config_key: 'p_config'},
    files: {'p/rules.mjs': factory},
    spec: {p_config: {decision: 'approval_required'}},
  });
  expect(await codeOf(session, 'p:text')).toBe('POLICY_DENIED');
  expect(await codeOf(session, 'p:tool', {danger: true})).toBe('APPROVAL_REQUIRED');
  expect(await codeOf(session, 'p:tool', {danger: false})).toBe('success');
  // A `when` that throws counts as deny, and the process is well.
  expect((await session.call('p:tool', null)).error).toMatchObject({
    code: 'POLICY_DENIED',
    details: {rule_id: 'p.factory'},
  });
});

test('ignored-config: capability_factory adds required_env from the config', async () => {
  const {session} = await start({
    manifest: {capability_factory: 'caps.mjs#caps', config_key: 'p_config'},
    files: {'p/caps.mjs': "export const caps = ({config}) => ({required_env: {'p:tool': [config.token_env]}});\n"},
    spec: {p_config: {token_env: 'MY_TOKEN'}},
    env: {MY_TOKEN: 't-2'},
  });
  expect(await must(session, 'p:tool')).toMatchObject({env: {MY_TOKEN: 't-2'}});
});

test('ignored-config: task_types: rules of the pack see all calls in such tasks; unknown types are refused', async () => {
  const rule = {id: 'p.quiet', trigger: 'on_completion', decision: 'deny', reason: 'never done'};
  const {host, session} = await start({manifest: {policies: [rule]}});
  expect(await session.complete()).toMatchObject({success: false, error: {code: 'POLICY_DENIED'}});
  const untyped = opened(await host.openSession({by: 'x'}));
  expect(await untyped.complete()).toMatchObject({success: true});
  expect(await host.openSession({by: 'x', task: {type: 'wrok'}})).toMatchObject({
    error: {message: expect.stringContaining('work')},
  });
});

test.each([
  ['engines', {engines: {lumenflow: '>=99.0.0'}}, /99\.0\.0/],
  ['version', {version: '2.0.0'}, /2\.0\.0/],
  ['id', {id: 'q'}, /`q`/],
  ['manifest_version', {manifest_version: 2}, /manifest_version/],
  ['an unknown key', {tolls: []}, /tolls/],
] as const)('ignored-config: %s of the manifest', async (_key, manifest, said) => {
  await failsToLoad({manifest}, said);
});

test('ignored-config: a tool’s name, description and place are what listings give', async () => {
  const {session} = await start({
    tool: {description: 'Tells all'},
    spec: {lanes: [{id: 'core', allowed_scopes: everything}]},
  });
  const [listed] = toolsOfPacks(await session.tools());
  expect(listed).toMatchObject({decision: 'allow', tool: {name: 'p:tool', declaration: {description: 'Tells all'}}});
  expect((await session.call('p:tol', {})).error).toMatchObject({
    code: 'TOOL_NOT_FOUND',
    message: expect.stringContaining('p:tool'),
  });
});
