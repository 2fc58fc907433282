import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdir, mkdtemp, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createSpecGuard} from '../spec/spec-guard.ts';
import {readWorkspace, type ReadWorkspace} from './read-workspace.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lumenflow-include-'));
  await mkdir(join(root, 'policies'));
});
afterEach(async () => {
  await rm(root, {recursive: true});
});

const workspace = `id: demo
packs: []
lanes:
  - id: core
    allowed_scopes: []
    policies: {rules: [{id: l, trigger: on_tool_request, decision: deny, when: {tool: $writers}}]}
security: {allowed_scopes: []}
policies:
  include: [policies/a.yaml]
  sets: {writers: ['file:write']}
  rules:
    - {id: own, trigger: on_tool_request, decision: deny, when: {writes: $infra}}
`;
const included = `sets:
  infra: ['infra/**']
rules:
  - {id: theirs, trigger: on_tool_request, decision: deny, when: {tool: $writers}}
`;

async function read(files: Readonly<Record<string, string>>): ReturnType<typeof readWorkspace> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  return await readWorkspace({root, env: {}});
}

async function readable(files: Readonly<Record<string, string>>): Promise<ReadWorkspace> {
  const outcome = await read(files);
  return outcome.ok ? outcome.value : expect.fail(JSON.stringify(outcome.problem));
}

const both = {'workspace.yaml': workspace, 'policies/a.yaml': included};

test('rules and sets of an included file count as those of workspace.yaml, at their own positions', async () => {
  const {spec, problems, locate} = await readable(both);
  expect(problems).toEqual([]);
  expect(spec.policies?.rules).toMatchObject([
    {id: 'own', when: {writes: ['infra/**']}},
    {id: 'theirs', when: {tool: ['file:write']}},
  ]);
  expect(spec.lanes[0].policies?.rules).toMatchObject([{when: {tool: ['file:write']}}]);
  expect(locate('/policies/rules/0/id')).toBe('workspace.yaml:12:12');
  expect(locate('/policies/rules/1')).toBe('policies/a.yaml:4:5');
  expect(locate('/policies/rules/1/when/tool/0')).toBe('policies/a.yaml:4:73');
});

test('a set that no rule uses is reported where it is defined', async () => {
  const text = included.replace('sets:', "sets:\n  idle: ['x']");
  const {problems} = await readable({...both, 'policies/a.yaml': text});
  expect(problems).toMatchObject([
    {code: 'POLICY_SET_UNUSED', severity: 'warning', where: expect.stringMatching(/^policies\/a\.yaml:\d+:3$/u)},
  ]);
});

test('the hash is that of all files together, and a change of an included file is noticed', async () => {
  const {specHash, files} = await readable(both);
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  expect(specHash).toBe(sha256(`${sha256(workspace)}  workspace.yaml\n${sha256(included)}  policies/a.yaml\n`));
  const guard = createSpecGuard(files, specHash);
  expect(guard.isIntact()).toBe(true);
  await writeFile(join(root, 'policies/a.yaml'), 'sets: {}\n');
  expect(guard.isIntact()).toBe(false);
});

test.each([
  ['a missing file', {'workspace.yaml': workspace}, 'POLICY_FILE_UNREADABLE', 'workspace.yaml:9:13'],
  ['an unknown key', {...both, 'policies/a.yaml': 'rule: []\n'}, 'WORKSPACE_INVALID', 'policies/a.yaml:1:1'],
  ['an empty file', {...both, 'policies/a.yaml': ''}, 'WORKSPACE_INVALID', 'policies/a.yaml'],
  [
    'a path out of the workspace',
    {'workspace.yaml': workspace.replace('policies/a.yaml', 'policies/../../a.yaml')},
    'WORKSPACE_INVALID',
    'workspace.yaml:9:13',
  ],
])('%s is an error at its position', async (_what, files, code, where) => {
  const outcome = await read(files);
  expect(outcome).toMatchObject({ok: false, problem: [{code, where: expect.stringContaining(where)}]});
});

test('a workspace that includes itself is an error which names it', async () => {
  expect(await read({'workspace.yaml': workspace.replace('policies/a.yaml', 'workspace.yaml')})).toMatchObject({
    ok: false,
    problem: [
      {code: 'POLICY_FILE_UNREADABLE', message: 'workspace.yaml includes itself', where: 'workspace.yaml:9:13'},
    ],
  });
});

test('a file behind a symbolic link is an error: tools could write what the link leads to', async () => {
  await writeFile(join(root, 'real.yaml'), included);
  await symlink('../real.yaml', join(root, 'policies', 'a.yaml'));
  expect(await read({'workspace.yaml': workspace})).toMatchObject({
    problem: [{code: 'POLICY_FILE_UNREADABLE', message: expect.stringContaining('symbolic link')}],
  });
});

test.each([
  ['a directory', (path: string) => mkdir(path)],
  ['a named pipe', (path: string) => Promise.resolve(execFileSync('mkfifo', [path]))],
  ['a huge file', (path: string) => writeFile(path, '').then(() => truncate(path, 2 ** 30))],
])('%s is an error, and is not read', async (_what, create) => {
  await create(join(root, 'policies', 'a.yaml'));
  expect(await read({'workspace.yaml': workspace})).toMatchObject({
    problem: [{code: 'POLICY_FILE_UNREADABLE', message: expect.stringContaining('is not a file of at most')}],
  });
});

test('an included file that was replaced by a named pipe is a change, and is not read', async () => {
  const {specHash, files} = await readable(both);
  const guard = createSpecGuard(files, specHash);
  const path = join(root, 'policies', 'a.yaml');
  await rm(path);
  execFileSync('mkfifo', [path]);
  expect(guard.isIntact()).toBe(false);
});

test('a set that is defined twice is an error that names the first definition', async () => {
  const {problems} = await readable({
    ...both,
    'policies/a.yaml': included.replace('sets:', "sets:\n  writers: ['x']"),
  });
  expect(problems).toMatchObject([
    {
      code: 'POLICY_SET_DUPLICATE',
      where: 'policies/a.yaml:2:3',
      message: expect.stringContaining('workspace.yaml:10:10'),
    },
  ]);
});
