import {mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {ChangedEntry} from '../packed-files/file-mirror.ts';
import {lookAtOnce} from '../transaction/entry.ts';
import {createDigestCache} from './digest-cache.ts';
import {decodeBatch, encodeBatch} from './output-batch.ts';
import {packContents, unpackContents} from './packed-contents.ts';
import {parseWorkerKey} from './worker-key.ts';

test('a batch is the same after its way', () => {
  const batch = {number: 3, end: {exit_code: 1, problem: 'two\nlines'}, bytes: Buffer.from([10, 0, 255])};
  expect(decodeBatch(encodeBatch(batch))).toEqual(batch);
  for (const broken of ['', 'no line', 'not json\n', '{"number":1.5}\n']) {
    expect(decodeBatch(Buffer.from(broken))).toBeUndefined();
  }
});

test('contents are the same after their way, and incomplete ones are refused', () => {
  const contents = [Buffer.from('a'), Buffer.alloc(0), Buffer.alloc(1000, 'b')];
  const packed = packContents(contents);
  expect(unpackContents(packed)).toEqual(contents);
  expect(unpackContents(packed.subarray(0, -1))).toBeUndefined();
  expect(unpackContents(packed.subarray(0, 3))).toBeUndefined();
});

test('a digest changes with the file, even if its time and size are the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'content-digests-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const at = join(folder, 'file');
  const change: ChangedEntry = {entry: {path: '/w/file', kind: 'file', mode: 0o644, size: 1, mtime_ns: '1'}, at};
  const digests = createDigestCache();
  const seen = ['a', 'b', 'b'].map((text) => {
    writeFileSync(at, text);
    utimesSync(at, 1, 1);
    return digests.of(change);
  });
  expect(seen[0]).not.toBe(seen[1]);
  expect(seen[1]).toBe(seen[2]);
  const found = lookAtOnce(at);
  if (found === undefined) throw new Error('the file is missing');
  // What was found to be the same is not opened.
  expect(digests.of({...change, found, at: join(folder, 'absent')})).toBe(seen[2]);
  expect(digests.of({...change, found: {...found, ctimeNs: 1n}, at: join(folder, 'absent')})).toBeUndefined();
  symlinkSync(at, join(folder, 'link'));
  expect(digests.of({...change, at: join(folder, 'link')})).toBeUndefined();
});

test.each(['', 'name', 'name+00000000+AAAA', 'name+0000000g+AQ==', 'a b+00000000+AQ=='])(
  '`%s` is not a key',
  (text) => {
    expect(parseWorkerKey(text)).toBeUndefined();
  },
);
