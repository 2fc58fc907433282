import {chmodSync, mkdtempSync, rmSync} from 'node:fs';
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

test.skipIf(process.platform === 'win32')('a worker with a key that others can read has none', async () => {
  await ensureKeys(folder, 'build');
  chmodSync(join(folder, '1.key'), 0o644);
  expect(new CurrentKeys(folder).keys()).toEqual([]);
});
