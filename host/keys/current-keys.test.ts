import {chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {CurrentKeys} from './current-keys.ts';
import {addKey, ensureKeys, removeKey} from './key-folder.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'lumenflow-current-keys-'))));
afterEach(() => rmSync(folder, {recursive: true}));

test('a running worker has the keys that another process adds and removes', async () => {
  const current = new CurrentKeys(folder);
  const ids = (): readonly string[] => current.keys().map(({id}) => id);
  expect(ids()).toEqual([]);
  await ensureKeys(folder, 'build');
  const [first = ''] = ids();
  expect(first).toMatch(/^build\+/u);
  await addKey(folder, 'build');
  expect(ids()).toEqual([first, expect.stringMatching(/^build\+/u)]);
  await removeKey(folder, first);
  expect(ids()).toEqual([expect.not.stringContaining(first)]);
});

test('keys are read again until a later change must have another time', async () => {
  await ensureKeys(folder, 'build');
  const changedMs = Number(statSync(folder, {bigint: true}).ctimeMs);
  let now = changedMs + 2;
  const current = new CurrentKeys(folder, () => now);
  const file = join(folder, '1.key');
  const key = readFileSync(file);
  // In place: the time of the folder stays the same, as after another change within one tick of the clock.
  writeFileSync(file, '');
  expect(current.keys()).toHaveLength(0);
  writeFileSync(file, key);
  expect(current.keys()).toHaveLength(1);
  now = changedMs + 1_000;
  expect(current.keys()).toHaveLength(1);
  writeFileSync(file, '');
  expect(current.keys()).toHaveLength(1);
});

test('a key that another process removes while the keys are read is not one', async () => {
  await ensureKeys(folder, 'build');
  // A name without a file, as between a list and a look.
  symlinkSync('removed', join(folder, '2.key'));
  expect(new CurrentKeys(folder).keys()).toHaveLength(1);
});

test.skipIf(process.platform === 'win32')('a worker with a key that others can read has none', async () => {
  await ensureKeys(folder, 'build');
  chmodSync(join(folder, '1.key'), 0o644);
  expect(new CurrentKeys(folder).keys()).toEqual([]);
});
