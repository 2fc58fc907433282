import {copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {nodeFileOperations} from '../log/file-operations.ts';
import {sha256Hex} from '../system/sha256.ts';
import {BlobStore} from './blob-store.ts';

let folder: string;
let stores: BlobStore[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-shred-'));
  stores = [];
});
afterEach(() => {
  for (const store of stores) store.close();
  rmSync(folder, {recursive: true});
});

function open(): BlobStore {
  const store = new BlobStore({folder, files: nodeFileOperations, fsync: false});
  stores.push(store);
  return store;
}

function onDisk(text: string): boolean {
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
}

test.each([
  ['small', 'secret '.repeat(3)],
  ['large', 'secret '.repeat(20_000)],
])('every copy of a %s content goes, and nothing else', async (_, secret) => {
  const all = [open(), open()];
  const others = ['', '{}', 'a secret', `${secret}!`, `${sha256Hex(secret)} ${secret.length}\n${secret}\n`];
  const kept = await Promise.all(
    all.flatMap((store) => others.map(async (text) => [text, await store.put(text)] as const)),
  );
  const copies = new Set<string>();
  for (const store of all) copies.add((await store.put(secret)).ref);
  const more = await Promise.all(
    all.flatMap((store) => ['x', 'y'].map(async (text) => [text, await store.put(text)] as const)),
  );
  const [store] = all;
  const refs = await shredIn(store, sha256Hex(secret));
  expect(new Set(refs)).toEqual(copies);
  for (const ref of copies) expect(open().get(ref)).toBeUndefined();
  for (const [text, {ref}] of [...kept, ...more]) expect(open().get(ref)).toBe(text);
  expect(await shredIn(store, sha256Hex(secret))).toEqual([]);
});

test('a content that is put again lives under another ref; those that were shredded stay dead', async () => {
  for (const secret of ['secret', 's'.repeat(100_000)]) {
    const [one, other] = [open(), open()];
    const dead = await one.put(secret);
    const hash = sha256Hex(secret);
    await shredIn(other, hash);
    one.forget(hash);
    expect(onDisk(secret)).toBe(false);
    for (const store of [one, other, open()]) {
      const again = await store.put(secret);
      expect(again.ref).not.toBe(dead.ref);
      expect(store.get(again.ref)).toBe(secret);
      expect(store.get(dead.ref)).toBeUndefined();
    }
    expect(await shredIn(one, hash)).toHaveLength(3);
    expect(onDisk(secret)).toBe(false);
  }
});

test('removes temporary files of a crash too, and no other files', async () => {
  const store = open();
  const secret = 'secret'.repeat(20_000);
  const {ref} = await store.put(secret);
  copyFileSync(join(folder, ref.slice('inputs/'.length)), join(folder, 'new-0123456789abcdef'));
  writeFileSync(join(folder, 'new-fedcba9876543210'), 'other');
  expect(await shredIn(store, sha256Hex(secret))).toEqual([ref]);
  expect(onDisk('secret')).toBe(false);
  expect(readFileSync(join(folder, 'new-fedcba9876543210'), 'utf8')).toBe('other');
  expect(statSync(join(folder, ref.slice('inputs/'.length))).size).toBe(1);
});

test('zeros that are not a whole shredded content are an error', async () => {
  const store = open();
  const {ref} = await store.put('abcdef');
  const path = join(folder, ref.slice('inputs/'.length).split(':')[0] ?? '');
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, -4), Buffer.alloc(3), bytes.subarray(-1)]));
  expect(() => store.get(ref)).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
  const zeros = await store.put('\0\0\0');
  expect(store.get(zeros.ref)).toBe('\0\0\0');
});

test('finds a copy after a hole that a crash left', async () => {
  const store = open();
  const before = await store.put('a'.repeat(600));
  await store.put('b'.repeat(600));
  const {ref} = await store.put('secret');
  const path = join(folder, ref.slice('inputs/'.length).split(':')[0] ?? '');
  const bytes = readFileSync(path);
  const hole = bytes.indexOf(sha256Hex('b'.repeat(600)));
  writeFileSync(path, bytes.fill(0, hole, hole + 500));
  expect(await shredIn(store, sha256Hex('secret'))).toEqual([ref]);
  expect(onDisk('secret')).toBe(false);
  expect(store.get(before.ref)).toBe('a'.repeat(600));
});

test('a missing folder is reported', async () => {
  const store = open();
  rmSync(folder, {recursive: true});
  await expect(shredIn(store, sha256Hex('x'))).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-shred-'));
});

async function shredIn(store: BlobStore | undefined, hash: string): Promise<readonly string[]> {
  return (await store?.shred(new Set([hash])))?.get(hash) ?? [];
}
