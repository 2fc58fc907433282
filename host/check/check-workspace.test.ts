import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {checkWorkspace, type CheckRequest, type WorkspaceCheck} from './check-workspace.ts';

const usual: WrittenWorkspace = {
  security: '{allowed_scopes: [{type: path, pattern: "**", access: write}]}',
  scopes: '[{type: path, pattern: "src/**", access: write}]',
  rules: '[]',
};

interface WrittenWorkspace {
  readonly security: string;
  readonly scopes: string;
  readonly rules: string;
  readonly rest?: string;
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-'));
  mkdirSync(join(root, 'pack/tools'), {recursive: true});
  const tool = {
    name: 'desk:ask',
    description: 'Asks',
    handler_entry: 'tools/ask.ts#ask',
    permission: 'write',
    required_env: ['DESK_KEY'],
    input_schema: {type: 'object', properties: {topic: {type: 'string'}}, additionalProperties: false},
  };
  const manifest = {id: 'desk', version: '0.1.0', manifest_version: 1, task_types: ['asking'], tools: [tool]};
  writeFileSync(join(root, 'pack/manifest.yaml'), JSON.stringify(manifest));
  writeFileSync(join(root, 'pack/tools/ask.ts'), 'export const ask = () => ({});\n');
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

function write(parts: Partial<WrittenWorkspace>): void {
  const {security, scopes, rules, rest = ''} = {...usual, ...parts};
  writeFileSync(
    join(root, 'workspace.yaml'),
    `id: demo
packs:
  - {id: desk, version: 0.1.0, integrity: dev, source: local, path: pack}
lanes:
  - {id: main, allowed_scopes: ${scopes}}
security: ${security}
policies: {default_decision: allow, rules: ${rules}}
${rest}`,
  );
}

async function check(parts: Partial<WrittenWorkspace>, request: Partial<CheckRequest> = {}): Promise<WorkspaceCheck> {
  write(parts);
  const env = {PATH: process.env['PATH'], DESK_KEY: 'k'};
  return await checkWorkspace({
    workspaceRoot: root,
    env,
    checksMachine: false,
    nowMs: Date.parse('2026-06-01T00:00Z'),
    ...request,
  });
}

const codes = ({problems}: WorkspaceCheck): readonly string[] =>
  problems.filter(({code}) => code !== 'PACK_NOT_PINNED').map(({code, where}) => `${where} ${code}`);

test('a sound workspace has no problems, and says what was checked', async () => {
  const checked = await check({});
  expect(codes(checked)).toEqual([]);
  expect(checked.areas).toMatchObject([
    {area: 'workspace.yaml', detail: '1 lane'},
    {area: 'packs', detail: expect.stringMatching(/^1 pack, \d+ tools$/u)},
    {area: 'scopes'},
    {area: 'rules', detail: '0 rules, 0 examples'},
    {area: 'sandbox', detail: 'not tried'},
  ]);
});

test('a file that cannot be read is the only area', async () => {
  const checked = await check({scopes: '[{type: path, pattern: "src/**", access: raed}]'});
  expect(checked.areas).toEqual([{area: 'workspace.yaml', detail: 'cannot be read'}]);
  expect(codes(checked)).toEqual([expect.stringMatching(/^workspace\.yaml:5:\d+ WORKSPACE_INVALID$/u)]);
});

test('conditions that never match, rules without effect, scopes that grant nothing', async () => {
  const rule = '{trigger: on_tool_request, decision: deny';
  const checked = await check({
    security: '{allowed_scopes: [{type: path, pattern: "docs/**", access: write}]}',
    rules: `[
  ${rule}, id: typo, when: {tool: 'desk:ask', arguments: {/tpoic: {equals: x}}}},
  ${rule}, id: unknown, when: {tool: 'dsek:ask'}},
  ${rule}, id: nothing, when: {tool: 'desk:ask', permission: [admin]}},
  ${rule}, id: wrong, when: {tool: 'desk:ask'}, examples: [{call: {tool: 'desk:ask'}, expect: no_match}]},
  ]`,
  });
  const found = codes(checked).map((place) => place.replace(/:\d+ /u, ' '));
  expect(found.toSorted()).toEqual([
    'workspace.yaml:10 POLICY_RULE_WITHOUT_EFFECT',
    'workspace.yaml:11 POLICY_EXAMPLE_FAILED',
    'workspace.yaml:5 SCOPE_GRANTS_NOTHING',
    'workspace.yaml:8 POLICY_ARGUMENT_UNKNOWN',
    'workspace.yaml:9 POLICY_TOOL_UNKNOWN',
  ]);
});

test('a scope that names a directory grants nothing in it', async () => {
  const scope = (pattern: string): string => `[{type: path, pattern: ${pattern}, access: write}]`;
  expect(codes(await check({scopes: scope('pack')}))).toEqual([
    expect.stringMatching(/^workspace\.yaml:5:\d+ SCOPE_NAMES_DIRECTORY$/u),
  ]);
  expect(codes(await check({scopes: scope('pack/')}))).toEqual([]);
  expect(codes(await check({scopes: scope('pack/manifest.yaml')}))).toEqual([]);
});

test('a pack without a required signature', async () => {
  const security = '{packs: {require_signature: true}, allowed_scopes: []}';
  expect(codes(await check({security, scopes: '[]'}))).toEqual(['workspace.yaml:3:5 PACK_SIGNATURE_MISSING']);
});

test('variables and keys that this machine lacks, unless only the files are checked', async () => {
  const rest = 'evidence: {checkpoint_key_env: SIGNING_KEY}\n';
  const env = {PATH: process.env['PATH'], SIGNING_KEY: 'not a key'};
  const checked = await check({rest}, {env, checksMachine: true});
  expect(codes(checked)).toEqual(
    expect.arrayContaining(['workspace.yaml:3:10 ENV_MISSING', 'workspace.yaml:8:32 EVIDENCE_KEY_INVALID']),
  );
  expect(codes(await check({rest}, {env}))).toEqual([]);
  expect(codes(await check({rest}, {env: {}}))).toEqual([]);
});

test('a tier that no machine reaches is reported without a look at this one', async () => {
  const security = '{sandbox: {profile: hardened, backend: bubblewrap}, allowed_scopes: []}';
  const expected = ['workspace.yaml:6:31 SANDBOX_PROFILE_UNMET'];
  expect(codes(await check({security, scopes: '[]'}))).toEqual(expected);
  expect(codes(await check({security, scopes: '[]'}, {checksMachine: true}))).toEqual(expect.arrayContaining(expected));
});

test('a tier that this machine does not reach, although another one can', async () => {
  const kata = '{kata: {socket: /run/absent/containerd.sock}}';
  const security = `{sandbox: {profile: hardened, backend: [kata, bubblewrap], backends: ${kata}}, allowed_scopes: []}`;
  const env = {PATH: process.env['PATH'], DESK_KEY: 'x'};
  expect(codes(await check({security, scopes: '[]'}, {env}))).toEqual([]);
  const checked = await check({security, scopes: '[]'}, {env, checksMachine: true});
  expect(codes(checked)).toEqual(['workspace.yaml:6:31 SANDBOX_PROFILE_UNMET']);
  expect(checked.problems.at(-1)).toMatchObject({severity: 'error', help: expect.stringMatching(/./u)});
});

test('a sandbox that this machine does not have', async () => {
  const security = '{sandbox: {backend: proxmox-lxc}, allowed_scopes: []}';
  const checked = await check({security, scopes: '[]'}, {checksMachine: true});
  expect(codes(checked)).toEqual(['workspace.yaml:6:31 SANDBOX_UNAVAILABLE']);
  expect(checked.areas.at(-1)).toEqual({area: 'sandbox', detail: 'proxmox-lxc unavailable'});
});

test('overlays over tracked files', async () => {
  write({});
  writeFileSync(join(root, 'token'), 'x');
  for (const args of [
    ['init', '-q'],
    ['add', 'token'],
  ])
    execFileSync('git', args, {cwd: root});
  const security = '{allowed_scopes: [], deny_overlays: [token]}';
  expect(codes(await check({security, scopes: '[]'}))).toEqual(['workspace.yaml:6:48 DENY_OVERLAY_TRACKED']);
});

test('it makes no state but the cache of built packs', async () => {
  await check({}, {checksMachine: true});
  expect(existsSync(join(root, '.lumenflow/kernel'))).toBe(false);
  expect(existsSync(join(root, '.lumenflow/keys'))).toBe(false);
});
