import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createFailingDisk, type FailingDisk} from '../log/failing-disk.fixture.ts';
import {sha256Hex} from '../system/sha256.ts';
import {formatBlobRef, parseBlobRef} from './blob-ref.ts';
import {BlobStore} from './blob-store.ts';

let folder: string;
let disk: FailingDisk;
let store: BlobStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-blobs-'));
  disk = createFailingDisk();
  store = new BlobStore({folder, files: disk, fsync: true});
});
afterEach(() => {
  store.close();
  rmSync(folder, {recursive: true});
});

const texts = ['', '{}', '"ü €"', '\0\n\r', 'x'.repeat(64 * 1024), 'x'.repeat(64 * 1024 + 1), 'y'.repeat(5_000_000)];

describe('a blob', () => {
  test.each(texts.map((text) => [text.length, text] as const))(
    'of %d characters comes back as it was put',
    async (_, text) => {
      const {hash, ref} = await store.put(text);
      expect(hash).toBe(sha256Hex(text));
      expect(store.get(ref)).toBe(text);
      expect(new BlobStore({folder, files: disk, fsync: true}).get(ref)).toBe(text);
    },
  );

  test('that is put again is kept once', async () => {
    for (const text of texts) expect(await store.put(text)).toEqual(await store.put(text));
    const [large = ''] = texts.slice(-1);
    const other = new BlobStore({folder, files: disk, fsync: true});
    expect((await other.put(large)).ref).toBe((await store.put(large)).ref);
    other.close();
    expect(readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/u.test(name))).toHaveLength(2);
    expect(readdirSync(folder).filter((name) => name.startsWith('new-'))).toEqual([]);
  });

  test('of many at once stays itself', async () => {
    const many = Array.from({length: 500}, (_, index) => `text ${index}`.repeat(index + 1));
    const blobs = await Promise.all(many.map((text) => store.put(text)));
    expect(blobs.map(({ref}) => store.get(ref))).toEqual(many);
  });

  test('that was changed is an error, one that is gone is undefined', async () => {
    for (const text of ['small', 'z'.repeat(100_000)]) {
      const {ref} = await store.put(text);
      const file = join(folder, ref.slice('inputs/'.length).split(':')[0] ?? '');
      const bytes = readFileSync(file);
      bytes[bytes.length - 2] = 0;
      writeFileSync(file, bytes);
      expect(() => store.get(ref)).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
      writeFileSync(file, '');
      if (text === 'small') expect(store.get(ref)).toBeUndefined();
      rmSync(file);
      expect(store.get(ref)).toBeUndefined();
    }
  });
});

describe('a deletion by a rule', () => {
  test('spares what this process records within one of its steps', async () => {
    for (const text of ['small', 'z'.repeat(100_000)]) {
      const {hash, ref} = await store.put(text);
      store.announceDeletion();
      const recording = new Set([hash]);
      const within = async (work: () => void): Promise<void> => {
        await Promise.resolve();
        expect(store.canRecord([ref])).toBe(true);
        work();
      };
      expect((await store.deleteUnneeded(recording, within)).size).toBe(0);
      expect(store.get(ref)).toBe(text);
      // Without a record of it, the same step deletes it.
      const step = async (work: () => void): Promise<void> => await Promise.resolve(work());
      expect((await store.deleteUnneeded(new Set([hash]), step)).get(hash)).toEqual([ref]);
      expect([store.get(ref), store.canRecord([ref])]).toEqual([undefined, false]);
    }
  });
});

describe('a reference', () => {
  test.each([`inputs/${'a'.repeat(64)}`, 'inputs/pack-0123456789ab:66:12'])('%s is read as it is written', (ref) => {
    const location = parseBlobRef(ref);
    expect(location && formatBlobRef(location)).toBe(ref);
  });

  test.each([
    '',
    'inputs/../../../etc/passwd',
    `../inputs/${'a'.repeat(64)}`,
    `inputs/${'A'.repeat(64)}`,
    'inputs/pack-0123456789ab',
    'inputs/pack-../../x:0:1',
    'inputs/pack-0123456789ab:-1:5',
    `inputs/${'a'.repeat(64)}\n`,
  ])('%j leads nowhere', (ref) => {
    expect(parseBlobRef(ref)).toBeUndefined();
    expect(store.get(ref)).toBeUndefined();
  });

  test('into the middle of a pack is an error', async () => {
    await store.put('one');
    const {ref} = await store.put('two');
    const [, pack = '', offset = '', length = ''] = ref.split(/[/:]/u);
    for (const moved of [`${Number(offset) - 1}:${length}`, `${offset}:${Number(length) - 1}`, `0:${length}`]) {
      expect(() => store.get(`inputs/${pack}:${moved}`)).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
    }
  });
});

describe('a disk that fails', () => {
  test('is reported, and a partial write is overwritten', async () => {
    const {ref} = await store.put('one');
    disk.room = 10;
    await expect(store.put('two')).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    disk.room = Number.POSITIVE_INFINITY;
    const two = await store.put('two');
    expect([store.get(ref), store.get(two.ref)]).toEqual(['one', 'two']);
  });

  test('of a sync is reported, and the sync is repeated until it succeeds', async () => {
    await store.put('one');
    disk.syncFails = true;
    await expect(store.datasync()).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    await expect(store.datasync()).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    disk.syncFails = false;
    await store.datasync();
    disk.syncs = 0;
    await store.datasync();
    expect(disk.syncs).toBe(0);
  });

  test('a missing folder is reported', async () => {
    rmSync(folder, {recursive: true});
    await expect(store.put('x')).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    await expect(store.put('x'.repeat(100_000))).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    store.close();
    store = new BlobStore({folder, files: disk, fsync: false});
  });
});
