// Files of calls that have ended, on a real disk: what a later call finds, whatever the earlier one did to them.
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {removeTree} from '../files/remove-tree.ts';
import {GuestFiles} from '../guest/agent/guest-files.ts';
import type {PackedEntry} from '../packed-files/packed-entry.ts';
import {KeptTrees} from './kept-trees.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'kept-trees-'))));
afterEach(() => removeTree(root));

const contents: Readonly<Record<string, string>> = {['a'.repeat(64)]: 'first', ['b'.repeat(64)]: 'other'};
const [first = '', other = ''] = Object.keys(contents);
const directory = (path: string): PackedEntry => ({path, kind: 'directory', mode: 0o755, size: 0, mtime_ns: '0'});
const file = (path: string, sha256 = first): PackedEntry => ({
  path,
  kind: 'file',
  mode: 0o644,
  size: 5,
  mtime_ns: '1000000000',
  sha256,
});
const usual = [directory('/work'), directory('/work/docs'), file('/work/docs/one'), file('/work/docs/two', other)];
/** A change within one tick of the clock would have the same time. */
const tickMs = 40;

interface Call {
  /** Contents that were copied for it. */
  readonly copied: readonly string[];
  readonly folder: string;
  end(): Promise<void>;
}

let count = 0;

async function startCall(trees: KeptTrees, entries: readonly PackedEntry[], owner = 'host'): Promise<Call> {
  const home = join(root, `call-${(count += 1)}`);
  const folder = join(home, 'files');
  mkdirSync(folder, {recursive: true});
  const tree = trees.open(owner);
  const copied: string[] = [];
  const copy = (sha256: string, at: string): void => {
    copied.push(at.slice(folder.length));
    writeFileSync(at, contents[sha256] ?? '', {flag: 'wx'});
  };
  const files = new GuestFiles(
    {folder, staging: join(home, 'arriving'), contents: {...tree, copy}},
    {type: 'open', writable: ['/work/out'], excluded: []},
  );
  for (const entry of entries) files.entry(entry);
  await files.settle();
  files.begin();
  await wait(tickMs);
  return {
    copied,
    folder,
    end: async () => {
      rmSync(join(home, 'arriving'), {recursive: true});
      await tree.end(home, folder);
    },
  };
}

test('the next call with the same files copies none of them', async () => {
  const trees = new KeptTrees(1000);
  const before = await startCall(trees, usual);
  expect(before.copied).toEqual(['/work/docs/one', '/work/docs/two']);
  await before.end();
  const call = await startCall(trees, usual);
  expect(call.copied).toEqual([]);
  expect(readFileSync(join(call.folder, 'work/docs/one'), 'utf8')).toBe('first');
  expect(lstatSync(join(call.folder, 'work/docs/one')).mtimeMs).toBe(1000);
});

test('calls at the same time share no file', async () => {
  const trees = new KeptTrees(1000);
  await (await startCall(trees, usual)).end();
  const calls = [await startCall(trees, usual), await startCall(trees, usual)];
  const inodes = calls.map(({folder}) => lstatSync(join(folder, 'work/docs/one')));
  expect(inodes[0]?.ino).not.toBe(inodes[1]?.ino);
  expect(inodes.map(({nlink}) => nlink)).toEqual([1, 1]);
});

test.each<readonly [string, (path: string) => void]>([
  ['writes', (path) => writeFileSync(path, 'wrote')],
  ['appends', (path) => appendFileSync(path, 'more')],
  [
    'writes, and restores content and time',
    (path) => {
      writeFileSync(path, 'wrote');
      writeFileSync(path, 'first');
      utimesSync(path, 1, 1);
    },
  ],
  ['changes the mode', (path) => chmodSync(path, 0o777)],
  [
    'changes the mode and restores it',
    (path) => {
      chmodSync(path, 0o777);
      chmodSync(path, 0o644);
    },
  ],
  ['sets the times', (path) => utimesSync(path, 2, 2)],
  ['renames another file over it', (path) => renameSync(join(path, '../two'), path)],
  [
    'renames it away and back',
    (path) => {
      renameSync(path, `${path}.away`);
      renameSync(`${path}.away`, path);
    },
  ],
  ['links it', (path) => linkSync(path, `${path}.link`)],
  ['removes it', (path) => rmSync(path)],
  [
    'replaces it by a symlink',
    (path) => {
      rmSync(path);
      symlinkSync('two', path);
    },
  ],
  [
    'replaces its directory by a symlink',
    (path) => {
      renameSync(join(path, '..'), join(path, '../../moved'));
      symlinkSync('moved', join(path, '..'));
    },
  ],
])('a call that %s changes nothing for the next one', async (_, change) => {
  const trees = new KeptTrees(1000);
  const before = await startCall(trees, usual);
  change(join(before.folder, 'work/docs/one'));
  await before.end();
  const call = await startCall(trees, usual);
  const at = join(call.folder, 'work/docs');
  expect(readdirSync(join(call.folder, 'work'))).toEqual(['docs']);
  expect(readdirSync(at)).toEqual(['one', 'two']);
  for (const [name, content] of [
    ['one', 'first'],
    ['two', 'other'],
  ] as const) {
    expect(readFileSync(join(at, name), 'utf8')).toBe(content);
    const {mode, mtimeMs, nlink} = lstatSync(join(at, name));
    expect([mode & 0o7777, mtimeMs, nlink]).toEqual([0o644, 1000, 1]);
  }
});

test('a file that a call may write is copied for the next one, also if it has not changed', async () => {
  const trees = new KeptTrees(1000);
  const entries = [...usual, directory('/work/out'), file('/work/out/three')];
  await (await startCall(trees, entries)).end();
  expect((await startCall(trees, entries)).copied).toEqual(['/work/out/three']);
});

test('what a later call is not granted is gone, and so is what an earlier one has added', async () => {
  const trees = new KeptTrees(1000);
  const before = await startCall(trees, [...usual, directory('/work/secrets'), file('/work/secrets/key')]);
  mkdirSync(join(before.folder, 'work/planted'));
  writeFileSync(join(before.folder, 'work/planted/file'), '');
  await before.end();
  const call = await startCall(trees, usual);
  expect(readdirSync(call.folder, {recursive: true}).map(String)).toEqual([
    'work',
    'work/docs',
    'work/docs/one',
    'work/docs/two',
  ]);
  expect(call.copied).toEqual([]);
});

test.each([
  ['content', {sha256: other}],
  ['mode', {mode: 0o755}],
  ['time', {mtime_ns: '2000000000'}],
] as const)('a file with another %s is copied', async (_, change) => {
  const trees = new KeptTrees(1000);
  await (await startCall(trees, usual)).end();
  const changed = usual.map((entry) => (entry.path.endsWith('one') ? {...entry, ...change} : entry));
  expect((await startCall(trees, changed)).copied).toEqual(['/work/docs/one']);
});

test('the files of a host are for itself', async () => {
  const trees = new KeptTrees(1000);
  await (await startCall(trees, usual)).end();
  expect((await startCall(trees, usual, 'another')).copied).toHaveLength(2);
});

test('trees that were used longest ago are removed beyond the size, and all at the end', async () => {
  const trees = new KeptTrees(10);
  const calls = [await startCall(trees, usual), await startCall(trees, usual), await startCall(trees, usual)];
  for (const call of calls) await call.end();
  expect(readdirSync(root)).toHaveLength(1);
  const large = await startCall(trees, [file('/work/a'), file('/work/b'), file('/work/c')], 'another');
  await large.end();
  expect(readdirSync(root)).toHaveLength(1);
  await trees.close();
  expect(readdirSync(root)).toEqual([]);
  await (await startCall(trees, usual)).end();
  expect(readdirSync(root)).toEqual([]);
});
