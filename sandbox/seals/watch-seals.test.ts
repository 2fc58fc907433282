import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {compileProfile} from '../profile/compile-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {SealBroken} from './seal-broken.ts';
import {watchSeals, type SealWatch} from './watch-seals.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let root: string;
let watching: SealWatch | undefined;
const keptIn = (): string => join(root, '.lumenflow/kept');

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'seals-')));
  mkdirSync(join(root, 'work'));
  for (const [name, text] of [
    ['.env', 'SECRET=1'],
    ['workspace.yaml', 'id: one'],
    ['work/file', 'x'],
  ] as const)
    writeFileSync(join(root, name), text);
});
afterEach(() => {
  watching?.finish(keptIn());
  rmSync(root, {recursive: true, force: true});
});

async function watched(access: 'read' | 'write' = 'write'): Promise<SealWatch> {
  const profile = valueOf(
    await compileProfile({
      workspaceRoot: root,
      grant: {read: ['**'], write: access === 'write' ? ['**'] : [], network: {posture: 'off', allowlist_entries: []}},
      denyOverlays: [],
      home: '/nonexistent',
      runtimePaths: [],
      limits: {},
      env: {},
      compilePattern: globMatcher,
      files: createHostFiles(),
    }),
  );
  watching = watchSeals(profile);
  return watching;
}

function replace(name: string, text: string): void {
  writeFileSync(join(root, `${name}.new`), text);
  renameSync(join(root, `${name}.new`), join(root, name));
}

test.each([
  ['a hidden file', '.env', 'read'],
  ['a hidden file in what is writable', '.env', 'write'],
  ['a sealed file', 'workspace.yaml', 'write'],
] as const)('the replacement of %s is detected immediately', async (_, name, access) => {
  const {broken, finish} = await watched(access);
  replace(name, 'new');
  await vi.waitUntil(() => broken.aborted, {timeout: 60_000});
  expect(broken.reason).toEqual(new SealBroken(join(root, name)));
  expect(finish(keptIn())).toEqual([join(root, name)]);
  expect(readFileSync(join(root, name), 'utf8')).toBe('new');
});

test('so is a removal; a change in place, and of other files, is ignored', async () => {
  const {broken, finish} = await watched();
  writeFileSync(join(root, 'workspace.yaml'), 'id: two');
  replace('work/file', 'y');
  await sleep(50);
  expect(broken.aborted).toBe(false);
  rmSync(join(root, '.env'));
  await vi.waitUntil(() => broken.aborted, {timeout: 60_000});
  expect(finish(keptIn())).toEqual([join(root, '.env')]);
});

test('what is written to a file after it was replaced is undone, and kept', async () => {
  const {broken, finish} = await watched();
  replace('workspace.yaml', 'id: theirs');
  await vi.waitUntil(() => broken.aborted, {timeout: 60_000});
  writeFileSync(join(root, 'workspace.yaml'), 'id: evil');
  finish(keptIn());
  expect(readFileSync(join(root, 'workspace.yaml'), 'utf8')).toBe('id: theirs');
  expect(readdirSync(keptIn()).map((name) => readFileSync(join(keptIn(), name), 'utf8'))).toEqual(['id: evil']);
});

test('a file that a person replaces once more is not restored', async () => {
  const {broken, finish} = await watched();
  replace('workspace.yaml', 'id: two');
  await vi.waitUntil(() => broken.aborted, {timeout: 60_000});
  replace('workspace.yaml', 'id: three');
  finish(keptIn());
  expect(readFileSync(join(root, 'workspace.yaml'), 'utf8')).toBe('id: three');
});
