import type {Problem} from '@lumenflow/kernel';
import schema from '@lumenflow/schemas/workspace.schema.json' with {type: 'json'};
import {createHash} from 'node:crypto';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {readWorkspace, workspaceKeys, type ReadWorkspace} from './read-workspace.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lumenflow-workspace-'));
});
afterEach(async () => {
  await rm(root, {recursive: true});
});

const sound = `id: demo
packs:
  - {id: a, version: 1.0.0, integrity: dev, source: local, path: packs/a}
  - {id: b, version: 1.0.0, integrity: 'sha256:${'0'.repeat(64)}', source: npm, package: b}
lanes:
  - {id: core, allowed_scopes: []}
security: {allowed_scopes: []}
greeting: {word: hi}
`;

async function read(text?: string | Uint8Array, env = {}): ReturnType<typeof readWorkspace> {
  if (text !== undefined) await writeFile(join(root, 'workspace.yaml'), text);
  return await readWorkspace({root, env});
}

async function readable(text: string, env = {}): Promise<ReadWorkspace> {
  const workspace = await read(text, env);
  return workspace.ok ? workspace.value : expect.fail(JSON.stringify(workspace.problem));
}

async function problemsOf(text?: string | Uint8Array): Promise<readonly Problem[]> {
  const workspace = await read(text);
  return workspace.ok ? expect.fail('it was read') : workspace.problem;
}

test('a workspace is read with its hash, its extra keys and a warning for a dev pin', async () => {
  const workspace = await readable(sound);
  expect(workspace.spec.id).toBe('demo');
  expect(workspace.specHash).toBe(createHash('sha256').update(sound).digest('hex'));
  expect(workspace.files).toEqual([{path: join(root, 'workspace.yaml'), hash: workspace.specHash}]);
  expect(workspace.extraKeys).toEqual([{key: 'greeting', value: {word: 'hi'}, where: 'workspace.yaml:8:11'}]);
  expect(workspace.locate('/packs/1/package')).toBe('workspace.yaml:4:137');
  expect(workspace.problems).toEqual([
    {
      code: 'PACK_NOT_PINNED',
      severity: 'warning',
      message: 'the pack `a` is not pinned: any change to its files is loaded',
      where: 'workspace.yaml:3:40',
      pointer: '/packs/0/integrity',
      help: 'pin it with the hash that `lumenflow pack hash a` prints',
    },
  ]);
});

test('production refuses a dev pin', async () => {
  const {problems} = await readable(sound, {NODE_ENV: 'production'});
  expect(problems).toMatchObject([{code: 'PACK_NOT_PINNED', severity: 'error', where: 'workspace.yaml:3:40'}]);
});

test('production refuses the rule that allows all', async () => {
  const rules =
    '[{id: mine, trigger: on_claim, decision: deny}, {id: kernel.policy.allow-all, trigger: on_tool_request, decision: allow}]';
  const text = `${sound.replaceAll('integrity: dev', `integrity: 'sha256:${'1'.repeat(64)}'`)}policies: {rules: ${rules}}\n`;
  expect((await readable(text, {NODE_ENV: 'production'})).problems).toMatchObject([
    {code: 'POLICY_ALLOW_ALL', severity: 'error', where: 'workspace.yaml:9:72', pointer: '/policies/rules/1/id'},
  ]);
  expect((await readable(text)).problems).toEqual([]);
});

test('its own keys are those of the schema', async () => {
  expect([...workspaceKeys].toSorted()).toEqual(Object.keys(schema.$defs.workspace_spec.properties).toSorted());
  const workspace = await readable(`${sound}name: x\nstate: {kind: files}\n`);
  expect(workspace.extraKeys.map(({key}) => key)).toEqual(['greeting']);
});

test('a missing workspace says how to make one', async () => {
  const problems = await problemsOf();
  expect(problems).toMatchObject([{code: 'WORKSPACE_NOT_FOUND', where: 'workspace.yaml'}]);
  expect(problems[0]?.help).toContain('lumenflow init');
});

test('duplicate ids are rejected, each with the place of the first', async () => {
  const {problems} = await readable(
    sound.replace('id: b', 'id: a').replace('lanes:\n', 'lanes:\n  - {id: core, allowed_scopes: []}\n'),
  );
  expect(problems.filter(({severity}) => severity === 'error').map(({message, where}) => [message, where])).toEqual([
    ['the pack id `a` is already used at workspace.yaml:3:10', 'workspace.yaml:4:10'],
    ['the lane id `core` is already used at workspace.yaml:6:10', 'workspace.yaml:7:10'],
  ]);
});

test('a file that is not UTF-8, and a path that is not a file, are rejected', async () => {
  expect(await problemsOf(new Uint8Array([0x69, 0x64, 0xff]))).toMatchObject([
    {message: 'the file is not UTF-8 text', help: 'save it as UTF-8'},
  ]);
  expect(await readWorkspace({root: join(root, 'workspace.yaml'), env: {}})).toMatchObject({
    problem: [
      {
        code: 'WORKSPACE_UNREADABLE',
        message: 'the file cannot be read: ENOTDIR',
        help: expect.stringContaining('can read'),
      },
    ],
  });
});
