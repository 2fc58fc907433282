import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {compileProfile} from '../profile/compile-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import type {ProfileInput} from '../profile/profile-input.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {createDirectLooks, type DirectLook, type DirectLooks} from './create-direct-looks.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

const first = '0a.1.2.3.0b';
const second = '0c.4.5.6.0d';
let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'looks-')));
  root = join(base, 'workspace');
  put('work/file');
  put('.vscode/tasks.json', 'ours');
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

function put(path: string, text = 'x'): void {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
}

function looksOf(processId: string, alive: readonly string[] = []): DirectLooks {
  const processes = {processId, isAlive: (id: string) => id === processId || alive.includes(id)};
  const stateFolder = join(base, 'state');
  return createDirectLooks({root, home: '/nonexistent', processes, stateFolder, compilePattern: globMatcher});
}

async function begun(looks: DirectLooks, write: readonly string[] = ['**']): Promise<DirectLook> {
  const input: ProfileInput = {
    workspaceRoot: root,
    grant: {read: [], write: [...write], network: {posture: 'off', allowlist_entries: []}},
    denyOverlays: [],
    home: '/nonexistent',
    runtimePaths: [],
    limits: {},
    env: {},
    compilePattern: globMatcher,
    files: createHostFiles(),
  };
  const before = valueOf(await compileProfile(input));
  return await looks.begin({receiptId: 'rcp-1', tool: 'x:y', input, before});
}

const noted = (): readonly string[] => readdirSync(join(root, '.lumenflow/direct-calls'));

test('the next host inspects after a call whose host has died', async () => {
  await begun(looksOf(first), ['**', '.npmrc']);
  put('.envrc', 'planted');
  put('.npmrc', 'named by a scope');
  put('work/new');
  expect(await looksOf(second).finishInterrupted()).toEqual([
    expect.objectContaining({kind: 'undone', paths: ['.envrc'], where: '.lumenflow/quarantine/rcp-1'}),
  ]);
  expect(readFileSync(join(root, '.lumenflow/quarantine/rcp-1/.envrc'), 'utf8')).toBe('planted');
  for (const kept of ['.npmrc', 'work/new', '.vscode/tasks.json']) expect(existsSync(join(root, kept))).toBe(true);
  expect(noted()).toEqual([]);
});

test('no note remains after a call was inspected', async () => {
  const look = await begun(looksOf(first));
  expect(noted()).toHaveLength(1);
  put('.envrc');
  expect((await look.finish(() => false)).planted).toEqual([{path: '.envrc'}]);
  expect(noted()).toEqual([]);
});

test('calls of live hosts are left alone', async () => {
  await begun(looksOf(first));
  put('.envrc');
  expect(await looksOf(second, [first]).finishInterrupted()).toEqual([]);
  expect(existsSync(join(root, '.envrc'))).toBe(true);
});

test.each([
  ['a changed note', (text: string) => text.replace('.vscode', '.vscodf')],
  ['a note without a MAC', (text: string) => text.slice(text.indexOf('\n') + 1)],
  ['no note', () => ''],
])('%s moves nothing', async (_, change) => {
  await begun(looksOf(first));
  const path = join(root, '.lumenflow/direct-calls', noted()[0] ?? '');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  expect(await looksOf(second).finishInterrupted()).toEqual([expect.objectContaining({kind: 'set_aside'})]);
  expect(readFileSync(join(root, '.vscode/tasks.json'), 'utf8')).toBe('ours');
});
