// ignored-config: for each key of workspace.yaml a test that fails when the key is ignored.
import {startHost, type Host, type Session, type SessionResult} from '@lumenflow/host';
import {generateKeyPairSync} from 'node:crypto';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {
  codeOf,
  everything,
  makeHostWorkspace,
  must,
  type HostWorkspace,
  type HostWorkspaceWords,
} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const workspaces: HostWorkspace[] = [];
afterEach(async () => await Promise.all(workspaces.splice(0).map((workspace) => workspace.remove())));

interface Started {
  readonly workspace: HostWorkspace;
  readonly host: Host;
  readonly session: Session;
}

/** On the pool, with the pack of echoes, unless said otherwise. */
async function start(
  spec: object = {},
  words: HostWorkspaceWords = {},
  env?: Record<string, string>,
): Promise<Started> {
  const workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack'), attack: join(import.meta.dirname, 'attack-pack')},
    pins: {both: {trust: 'in_process'}},
    files: {'docs/a.md': 'a\n', 'secrets/key.txt': 'secret\n'},
    ...words,
    spec,
  });
  workspaces.push(workspace);
  const host = await workspace.start({env: {PATH: process.env['PATH'], ...env}});
  return {workspace, host, session: opened(await host.openSession({by: 'tester'}))};
}

const rule = (decision: string, tool = 'pool:echo') => ({
  id: `rule-${decision}`,
  trigger: 'on_tool_request',
  decision,
  when: {tool},
});
const lane = (more: object = {}) => ({id: 'core', allowed_scopes: everything, ...more});

test('ignored-config: security.allowed_scopes bounds every lane', async () => {
  const {session} = await start({security: {allowed_scopes: [{type: 'path', pattern: 'docs/**', access: 'read'}]}});
  expect(await must(session, 'attack:read', {path: 'docs/a.md'})).toMatchObject({content: 'a\n'});
  expect(await must(session, 'attack:read', {path: 'secrets/key.txt'})).toMatchObject({outcome: 'ENOENT'});
  expect((await session.call('pool:report', {folder: 'docs'})).error).toMatchObject({
    code: 'SCOPE_DENIED',
    details: {layer: 'workspace'},
  });
});

test('ignored-config: lanes.allowed_scopes bounds its tasks', async () => {
  const {session} = await start({
    lanes: [lane({allowed_scopes: [{type: 'path', pattern: 'docs/**', access: 'write'}]})],
  });
  expect(await must(session, 'attack:read', {path: 'secrets/key.txt'})).toMatchObject({outcome: 'ENOENT'});
  expect(await codeOf(session, 'pool:report', {folder: 'docs'})).toBe('success');
});

test('ignored-config: security.deny_overlays cuts paths out of every grant and hides them', async () => {
  const {session} = await start({security: {allowed_scopes: everything, deny_overlays: ['secrets/**', '**/*.md']}});
  for (const path of ['secrets/key.txt', 'docs/a.md']) {
    const read = await must(session, 'attack:read', {path});
    expect(read['content'] ?? '', path).toBe('');
  }
  expect((await session.call('pool:report', {folder: 'docs'})).error?.code).toBe('SCOPE_DENIED');
  const {stdout} = await must(session, 'attack:shell', {
    script: 'cat secrets/* docs/*; mv secrets elsewhere; cat elsewhere/*',
  });
  expect(stdout).toBe('');
});

test.each([
  ['off', 'SCOPE_DENIED'],
  ['full', 'success'],
] as const)(
  'ignored-config: security.network_default %s is the posture of layers that say nothing',
  async (posture, code) => {
    const {session} = await start(
      {
        packs: [{id: 'net', version: '0.1.0', integrity: 'dev', source: 'local', path: 'packs/net'}],
        security: {allowed_scopes: everything, network_default: posture},
      },
      {
        copied: {},
        files: {
          'packs/net/manifest.yaml': `id: net
version: 0.1.0
manifest_version: 1
task_types: [net]
tools:
  - {name: 'net:get', description: Goes out, handler_entry: 'get.mjs#get', permission: read, required_scopes: [{type: network, posture: full}]}
`,
          'packs/net/get.mjs': "export const get = () => 'ran';\n",
        },
      },
    );
    expect(await codeOf(session, 'net:get')).toBe(code);
  },
);

test.each([
  ['workspace default_decision deny', {policies: {default_decision: 'deny'}}, 'POLICY_DENIED'],
  [
    'workspace default_decision approval_required',
    {policies: {default_decision: 'approval_required'}},
    'APPROVAL_REQUIRED',
  ],
  ['lane default_decision', {lanes: [lane({policies: {default_decision: 'deny'}})]}, 'POLICY_DENIED'],
  ['nothing said at all', {policies: {}}, 'POLICY_DENIED'],
])('ignored-config: policies: %s holds for calls, and lets a session begin and end', async (_name, spec, code) => {
  const {session} = await start(spec);
  expect(await codeOf(session, 'pool:echo')).toBe(code);
  expect((await session.complete()).success).toBe(true);
});

test.each([
  ['workspace rules', {policies: {default_decision: 'allow', rules: [rule('deny')]}}, 'POLICY_DENIED'],
  [
    'workspace approval',
    {policies: {default_decision: 'allow', rules: [rule('approval_required')]}},
    'APPROVAL_REQUIRED',
  ],
  ['lane rules', {lanes: [lane({policies: {rules: [rule('deny')]}})]}, 'POLICY_DENIED'],
])('ignored-config: policies: %s', async (_name, spec, code) => {
  const {session} = await start(spec);
  expect(await codeOf(session, 'pool:echo')).toBe(code);
});

test.each([
  [[], 'APPROVAL_REQUIRED'],
  [['pack', 'task'], 'APPROVAL_REQUIRED'],
  [['lane'], 'success'],
])('ignored-config: policies.allow_loosening %j', async (allow_loosening, code) => {
  const {session} = await start({
    policies: {default_decision: 'allow', rules: [rule('approval_required')], allow_loosening},
    lanes: [lane({policies: {rules: [rule('allow')]}})],
  });
  expect(await codeOf(session, 'pool:echo')).toBe(code);
});

test('ignored-config: lanes.wip_limit', async () => {
  const {host} = await start({lanes: [lane({wip_limit: 1})]});
  const lasting = {outlives_process: true};
  opened(await host.openSession({by: 'second', ...lasting}));
  const third = await host.openSession({by: 'third', ...lasting});
  expect(third).toMatchObject({success: false, error: {code: 'WIP_LIMIT_REACHED'}});
});

test('ignored-config: a task’s blocked_by, declared_scopes, policies and type', async () => {
  const {host} = await start();
  const first = opened(await host.openSession({by: 'a', task: {type: 'both'}}));
  const open = (task: object): Promise<SessionResult> => host.openSession({by: 'b', task});
  expect(await open({blocked_by: [first.task_id]})).toMatchObject({
    success: false,
    error: {code: 'TASK_NOT_CLAIMABLE'},
  });
  expect((await first.complete()).success).toBe(true);
  expect(await codeOf(opened(await open({blocked_by: [first.task_id]})), 'pool:echo')).toBe('success');
  const denying = opened(await open({policies: {rules: [rule('deny')]}}));
  expect(await codeOf(denying, 'pool:echo')).toBe('POLICY_DENIED');
  const scoped = opened(await open({declared_scopes: [{type: 'path', pattern: 'docs/**', access: 'read'}]}));
  expect((await scoped.call('pool:report', {folder: 'docs'})).error).toMatchObject({details: {layer: 'task'}});
  expect(await open({type: 'nobody-knows'})).toMatchObject({success: false, error: {code: 'INVALID_INPUT'}});
});

test('ignored-config: lanes: the one that is asked for, else the first; no other', async () => {
  const {host, session} = await start({lanes: [lane(), lane({id: 'other', policies: {rules: [rule('deny')]}})]});
  expect(await codeOf(session, 'pool:echo')).toBe('success');
  expect(await codeOf(opened(await host.openSession({by: 'x', lane: 'other'})), 'pool:echo')).toBe('POLICY_DENIED');
  expect(await host.openSession({by: 'x', lane: 'othr'})).toMatchObject({
    success: false,
    error: {code: 'LANE_NOT_FOUND'},
  });
});

test('ignored-config: a pin’s trust: without in_process nothing of the pack runs on the pool', async () => {
  const {host, session} = await start({}, {pins: {}});
  const output = await session.call('pool:echo', {});
  expect(output.success).toBe(true);
  const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
  expect(receipt?.started.execution_mode).toBe('sandbox');
});

test.each([
  ['version', {version: '0.2.0'}, /0\.2\.0/],
  [
    'integrity',
    {integrity: `sha256:${'0'.repeat(64)}`},
    /sha256:0{64}[\s\S]*sha256:[0-9a-f]{64}|sha256:[0-9a-f]{64}[\s\S]*sha256:0{64}/,
  ],
  ['path', {path: 'packs/none'}, /packs\/none/],
  ['id', {id: 'another'}, /another/],
] as const)('ignored-config: a pin’s %s', async (_key, pin, said) => {
  await expect(start({}, {pins: {both: pin}})).rejects.toThrow(said);
});

test('ignored-config: integrity dev is warned of, and refused in production', async () => {
  const warnings: string[] = [];
  const {workspace} = await start();
  const again = await workspace.start({onWarning: ({message}) => warnings.push(message)});
  expect(warnings).toEqual([
    expect.stringContaining('`both` is not pinned'),
    expect.stringContaining('`attack` is not pinned'),
    expect.stringContaining("`both` runs in the host's process without a pinned hash"),
  ]);
  await again.close();
  await expect(start({}, {}, {NODE_ENV: 'production'})).rejects.toMatchObject({code: 'LOAD_FAILED'});
  vi.stubEnv('NODE_ENV', 'production');
  await expect(startHost({workspaceRoot: workspace.root})).rejects.toMatchObject({code: 'LOAD_FAILED'});
  vi.unstubAllEnvs();
});

test('ignored-config: evidence.checkpoint_key_env: that key signs, and it is not written down', async () => {
  const {privateKey} = generateKeyPairSync('ed25519');
  const key = privateKey.export({format: 'der', type: 'pkcs8'}).toString('base64');
  const evidence = {checkpoint_key_env: 'MY_KEY'};
  const [one, other] = [await start({evidence}, {}, {MY_KEY: key}), await start({evidence}, {}, {MY_KEY: key})];
  const keys = await Promise.all(
    [one, other].map(async ({host, session, workspace}) => {
      await must(session, 'pool:echo');
      await host.runtime.evidence.checkpoint();
      expect(readdirSync(join(workspace.root, '.lumenflow/keys'))).toEqual(['evidence.pub']);
      return (await host.runtime.evidence.verify()).verifier_key;
    }),
  );
  expect(keys[0]).toMatch(/\S{20}/);
  expect(keys[1]).toBe(keys[0]);
  await expect(start({evidence}, {}, {MY_KEY: 'no key'})).rejects.toThrow();
  await expect(one.workspace.start({env: {}})).rejects.toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({
        code: 'EVIDENCE_KEY_MISSING',
        where: expect.stringMatching(/^workspace\.yaml:\d+:\d+$/) as string,
      }),
    ]) as unknown,
  });
});

test('ignored-config: a root key of a pack is its config, and an unknown key is refused', async () => {
  await expect(start({nobodys_key: {a: 1}})).rejects.toThrow(/workspace\.yaml:\d+:1: unknown key `nobodys_key`/);
});

test('a workspace leaves nothing beside .lumenflow', async () => {
  const {workspace, session} = await start();
  await must(session, 'sandbox:echo');
  expect(readdirSync(workspace.root).toSorted()).toEqual(['.lumenflow', 'docs', 'packs', 'secrets', 'workspace.yaml']);
});
