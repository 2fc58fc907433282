import {chmodSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {addKey, ensureKeys} from '../keys/key-folder.ts';
import {keyForWorkers} from './key-for-workers.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'lumenflow-key-for-workers-'))));
afterEach(() => rmSync(home, {recursive: true}));

test('a host signs with its older key, and never with one that other users can read', async () => {
  const env = {XDG_STATE_HOME: home};
  const folder = join(home, 'lumenflow/host/keys');
  expect(await keyForWorkers(env)).toMatchObject({problem: {message: 'this host has no key for workers'}});
  await ensureKeys(folder, 'laptop');
  const older = await keyForWorkers(env);
  await addKey(folder, 'laptop');
  expect(older.ok && (await keyForWorkers(env))).toMatchObject({value: {id: older.ok && older.value.id}});
  chmodSync(join(folder, '1.key'), 0o644);
  if (process.platform === 'win32') return;
  expect(await keyForWorkers(env)).toMatchObject({
    problem: {
      message: `\`${folder}/1.key\` is a private key that other users can read or write`,
      help: expect.stringContaining('chmod 600'),
    },
  });
});
