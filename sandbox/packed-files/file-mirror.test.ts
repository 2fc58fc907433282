import {chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createFileMirror, type FileMirror} from './file-mirror.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-mirror-'));
  mkdirSync(join(folder, 'a/deep'), {recursive: true});
  for (const name of ['a/one', 'a/deep/two', 'a/.env', 'other']) writeFileSync(join(folder, name), name);
});
afterEach(() => rmSync(folder, {recursive: true}));

function mirrorOf(mounts: Readonly<Record<string, string>>, excluded: readonly string[] = []): FileMirror {
  return createFileMirror({
    mounts: new Map(Object.entries(mounts).map(([path, name]) => [path, join(folder, name)])),
    excluded: new Set(excluded),
  });
}

function found(mirror: FileMirror): readonly string[] {
  return mirror.changes().map(({entry}) => `${entry.kind} ${entry.path}`);
}

test('finds everything at first, parents first, without what is excluded', () => {
  expect(found(mirrorOf({'/w/a': 'a'}, ['/w/a/.env']))).toEqual([
    'directory /w/a',
    'directory /w/a/deep',
    'file /w/a/deep/two',
    'file /w/a/one',
  ]);
});

test('finds what has changed since, what has gone before what has come', () => {
  const mirror = mirrorOf({'/w/a': 'a'});
  mirror.changes();
  expect(found(mirror)).toEqual([]);
  writeFileSync(join(folder, 'a/one'), 'ONE');
  renameSync(join(folder, 'a/deep'), join(folder, 'a/moved'));
  symlinkSync('one', join(folder, 'a/link'));
  chmodSync(join(folder, 'a'), 0o700);
  expect(found(mirror)).toEqual([
    'gone /w/a/deep/two',
    'gone /w/a/deep',
    'directory /w/a',
    'symlink /w/a/link',
    'directory /w/a/moved',
    'file /w/a/moved/two',
    'file /w/a/one',
  ]);
});

test('what is noted is not a change', () => {
  const mirror = mirrorOf({'/w/a': 'a'});
  mirror.changes();
  writeFileSync(join(folder, 'a/one'), 'ONE');
  rmSync(join(folder, 'a/deep/two'));
  mirror.note('/w/a/one');
  mirror.note('/w/a/deep/two');
  expect(found(mirror)).toEqual([]);
});

test('a mount inside another replaces that part of it', () => {
  const mirror = mirrorOf({'/w/a': 'a', '/w/a/one': 'other'});
  const one = mirror.changes().find(({entry}) => entry.path === '/w/a/one');
  expect(one?.at).toBe(join(folder, 'other'));
});
