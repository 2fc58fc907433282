import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {thisProcess} from '../process-name.ts';
import {openContentStore, type HostContents} from './content-store.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'content-store-'))));
afterEach(() => rmSync(folder, {recursive: true}));

const openStore = async (bytesMax: number): Promise<HostContents> =>
  (await openContentStore({folder, bytesMax})).of('host+00000001');
const names = (): readonly string[] =>
  readdirSync(join(folder, 'contents'), {recursive: true}).map((path) => basename(String(path)));
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test('a content is known by its digest, also to the next process', async () => {
  const store = await openStore(1000);
  expect(store.missing([digestOf('a'), '../escape'])).toEqual([digestOf('a'), '../escape']);
  expect(store.put(Buffer.from('a'))).toBe(digestOf('a'));
  (await openStore(1000)).copy(digestOf('a'), join(folder, 'copy'));
  expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('a');
  expect(() => store.copy('../drafts', join(folder, 'other'))).toThrow('missing');
});

test('a digest gives no access to the content of another host', async () => {
  const store = await openContentStore({folder, bytesMax: 1000});
  const sha256 = store.of('one+00000001').put(Buffer.from('secret'));
  const other = store.of('other+00000002');
  expect(other.missing([sha256])).toEqual([sha256]);
  expect(() => other.copy(sha256, join(folder, 'copy'))).toThrow('missing');
  other.put(Buffer.from('secret'));
  other.copy(sha256, join(folder, 'copy'));
  expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('secret');
});

test('the size is that of the contents of all hosts', async () => {
  const store = await openContentStore({folder, bytesMax: 30});
  for (const host of ['a', 'b', 'c', 'd']) store.of(host).put(Buffer.from('x'.repeat(10)));
  expect(names().filter((name) => name === digestOf('x'.repeat(10))).length).toBeLessThanOrEqual(2);
});

test('a content that was changed on disk is not used', async () => {
  const store = await openStore(1000);
  const sha256 = store.put(Buffer.from('right'));
  const [host = ''] = readdirSync(join(folder, 'contents'));
  writeFileSync(join(folder, 'contents', host, sha256), 'wrong');
  expect(() => store.copy(sha256, join(folder, 'copy'))).toThrow('missing');
  expect(store.missing([sha256])).toEqual([sha256]);
});

test('what was used longest ago is removed beyond the size', async () => {
  const store = await openStore(30);
  const digests = ['a', 'b', 'c'].map((letter) => store.put(Buffer.from(letter.repeat(10))));
  await new Promise((resolve) => setTimeout(resolve, 5));
  store.copy(digests[0] ?? '', join(folder, 'copy'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  store.put(Buffer.from('d'.repeat(10)));
  expect(names()).toContain(digests[0]);
  expect(names()).not.toContain(digests[1]);
  expect(names().length).toBeLessThanOrEqual(3);
});

test('drafts of a process that has ended, and of a closed store, are removed', async () => {
  const {pid} = spawnSync('true');
  const namespace = thisProcess().split('-')[0];
  mkdirSync(join(folder, `drafts-${namespace}-${pid}-AbCdEf`));
  const store = await openContentStore({folder, bytesMax: 30});
  expect(readdirSync(folder)).toEqual(['contents', expect.stringMatching(`^drafts-${thisProcess()}-`)]);
  await store.close();
  expect(readdirSync(folder)).toEqual(['contents']);
});
