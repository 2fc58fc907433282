// The files of a guest, on a real disk: where entries arrive, with which permissions, and which entries are refused.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {removeTree} from '../../files/remove-tree.ts';
import type {PackedEntry} from '../../packed-files/packed-entry.ts';
import {GuestFiles, type FilesFolders} from './guest-files.ts';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'guest-files-'));
  folder = join(home, 'guest');
  mkdirSync(folder);
  mkdirSync(join(home, 'outside'), {mode: 0o700});
});
afterEach(() => removeTree(home));

type Sent = Pick<PackedEntry, 'path' | 'kind'> &
  Partial<PackedEntry> & {
    readonly content?: string;
  };

function guestFiles(options: Partial<FilesFolders> = {}): GuestFiles {
  return new GuestFiles(
    {folder, staging: join(home, 'staging'), ...options},
    {type: 'open', writable: ['/work/out'], excluded: [{path: '/work/out/hidden', kind: 'file'}]},
  );
}

function send(files: GuestFiles, sent: readonly Sent[]): void {
  for (const {content = '', ...entry} of sent) {
    const size = entry.kind === 'file' ? content.length : 0;
    const mode = entry.kind === 'directory' ? 0o755 : 0o644;
    files.entry({mode, size, mtime_ns: '1000000000', ...entry});
    if (size > 0) files.content(Buffer.from(content));
  }
}

async function bringIn(files: GuestFiles, sent: readonly Sent[]): Promise<void> {
  send(files, sent);
  await files.settle();
}

const inside = (path: string): string => join(folder, path);
const modeOf = (path: string): number => statSync(inside(path)).mode & 0o7777;

test('before the program starts, contents arrive where they belong, with their times and permissions', async () => {
  const files = guestFiles();
  await bringIn(files, [
    {path: '/work', kind: 'directory', mode: 0o555},
    {path: '/work/run', kind: 'file', mode: 0o755, content: 'content'},
    {path: '/work/link', kind: 'symlink', link: 'run'},
  ]);
  expect(readFileSync(inside('work/run'), 'utf8')).toBe('content');
  expect(readlinkSync(inside('work/link'))).toBe('run');
  expect([modeOf('work'), modeOf('work/run')]).toEqual([0o555, 0o755]);
  expect(statSync(inside('work/run')).mtimeMs).toBe(1000);
  expect(readdirSync(join(home, 'staging'))).toEqual([]);
});

test('what the program may only read loses the permission to write, and nothing else does', async () => {
  const files = guestFiles({sealsReadOnly: true});
  await bringIn(files, [
    {path: '/work', kind: 'directory'},
    {path: '/work/read', kind: 'file', mode: 0o764},
    {path: '/work/out', kind: 'directory'},
    {path: '/work/out/write', kind: 'file', mode: 0o764},
    {path: '/work/outer', kind: 'file', mode: 0o666},
  ]);
  files.begin();
  await bringIn(files, [{path: '/work/later', kind: 'file', mode: 0o666}]);
  expect(['work', 'work/read', 'work/out', 'work/out/write', 'work/outer', 'work/later'].map(modeOf)).toEqual([
    0o555, 0o544, 0o755, 0o764, 0o444, 0o444,
  ]);
});

test('where mounts seal files, permissions are as they were sent', async () => {
  await bringIn(guestFiles(), [{path: '/work/read', kind: 'file', mode: 0o764}]);
  expect(modeOf('work/read')).toBe(0o764);
});

test('what is gone is removed, before the program starts and afterwards', async () => {
  const files = guestFiles();
  mkdirSync(inside('work/old/below'), {recursive: true});
  await bringIn(files, [
    {path: '/work/old', kind: 'gone', mode: 0},
    {path: '/work/absent', kind: 'gone', mode: 0},
    {path: '/work/out/first', kind: 'file', content: 'first'},
  ]);
  expect(readdirSync(inside('work'))).toEqual(['out']);
  files.begin();
  await bringIn(files, [{path: '/work/out/first', kind: 'gone', mode: 0}]);
  expect(existsSync(inside('work/out/first'))).toBe(false);
});

test('only what the program changed is reported: neither what arrived, nor what is hidden', async () => {
  const files = guestFiles();
  await bringIn(files, [{path: '/work/out/before', kind: 'file', content: 'before'}]);
  files.begin();
  expect(lstatSync(inside('work/out/hidden')).isFile()).toBe(true);
  await bringIn(files, [{path: '/work/out/later', kind: 'file', content: 'later'}]);
  writeFileSync(inside('work/out/own'), 'own');
  writeFileSync(inside('work/out/hidden'), 'own');
  rmSync(inside('work/out/before'));
  const changed = files.changes().map(({entry: {path, kind}}) => `${kind} ${path}`);
  expect(changed).toContain('gone /work/out/before');
  expect(changed).toContain('file /work/out/own');
  expect(changed.filter((each) => /hidden|later/.test(each))).toEqual([]);
});

test.each(['/../outside/x', 'work', '/work/../x', '/work/', '/a\0b', ''])('the path `%s` is refused', (path) => {
  const directory = {path, kind: 'directory', mode: 0o755, size: 0, mtime_ns: '0'} as const;
  expect(() => guestFiles().entry(directory)).toThrow('the host sent an invalid entry');
});

const link: Sent = {path: '/work/link', kind: 'symlink', link: '../../outside'};
const behind: Sent = {path: '/work/link/planted', kind: 'file', content: 'planted'};

test.each<[string, readonly (readonly Sent[])[]]>([
  ['at once', [[link, behind]]],
  ['later', [[link], [behind]]],
  ['after an entry that seems to replace it', [[link], [{path: '/work/link', kind: 'directory'}, behind]]],
  ['after its removal', [[link], [{path: '/work/link', kind: 'gone'}, behind]]],
  ['as itself', [[link], [{path: '/work/link', kind: 'directory', mode: 0o777}]]],
  ['deeper', [[link], [{...behind, path: '/work/link/deep/planted'}]]],
])('nothing arrives behind a symlink: %s', async (_, batches) => {
  const files = guestFiles();
  const receive = async (): Promise<void> => {
    for (const batch of batches) await bringIn(files, batch);
  };
  await expect(receive()).rejects.toThrow(/^the host sent `\/work\/link.*`, which is (?:behind )?a symlink$/);
  expect(readdirSync(join(home, 'outside'))).toEqual([]);
  expect(statSync(join(home, 'outside')).mode & 0o777).toBe(0o700);
});

test('a symlink that the program could have created is not followed', async () => {
  const files = guestFiles();
  await bringIn(files, [link]);
  files.begin();
  await expect(bringIn(files, [behind])).rejects.toThrow();
  expect(readdirSync(join(home, 'outside'))).toEqual([]);
  // What replaces it on the host replaces it here.
  await bringIn(files, [{path: '/work/link', kind: 'directory'}, behind]);
  expect(lstatSync(inside('work/link')).isDirectory()).toBe(true);
  expect(readFileSync(inside('work/link/planted'), 'utf8')).toBe('planted');
});
