import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {noteSound} from '../build/build-cache.ts';
import {hashEach, sha256, type HashedContent} from './hash-each.ts';

const folder = mkdtempSync(join(tmpdir(), 'hash-each-'));
afterAll(() => rmSync(folder, {recursive: true}));

async function all(paths: readonly string[]): Promise<readonly HashedContent[]> {
  const found: HashedContent[] = [];
  for await (const content of hashEach(folder, paths)) found.push(content);
  return found;
}

test('accepts relative and absolute paths, and returns them as given', async () => {
  writeFileSync(join(folder, 'a'), 'one');
  const absolute = join(folder, 'a');
  expect(await all(['a', absolute])).toEqual([
    {path: 'a', bytes: 3, sha256: sha256('one')},
    {path: absolute, bytes: 3, sha256: sha256('one')},
  ]);
});

test('many files do not block other work', async () => {
  writeFileSync(join(folder, 'b'), '');
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  await all(Array.from({length: 100}, () => 'b')).then(() => order.push('hashed'));
  expect(order).toEqual(['another', 'hashed']);
});

test('an unreadable file is reported by its path', async () => {
  await expect(all(['a', 'gone', 'b'])).rejects.toMatchObject({code: 'ENOENT', path: join(folder, 'gone')});
});

test('a failure to note a check beside a build is not an error: the check is repeated', async () => {
  const record = {modules: {}, outputs: {}, reached: [], leftOut: [], outside: [], warnings: []};
  await expect(noteSound({folder: join(folder, 'gone'), record, sound: new Set()}, 'tools')).resolves.toBeUndefined();
});
