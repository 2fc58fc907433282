import {chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {addKey, ensureKeys, readKeys, removeKey, type OwnKey} from './key-folder.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-keys-'));
  folder = join(root, 'keys');
});
afterEach(() => rmSync(root, {recursive: true}));

async function made(outcome: ReturnType<typeof readKeys> | ReturnType<typeof ensureKeys>): Promise<readonly OwnKey[]> {
  const read = await outcome;
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
}

test('a folder has no keys until one is asked for, and then keeps it', async () => {
  expect(await made(readKeys(folder))).toEqual([]);
  const [key] = await made(ensureKeys(folder, 'build'));
  expect(key?.id).toMatch(/^build\+[0-9a-f]{8}$/u);
  expect(key?.verifierKey.startsWith(`${key.id}+`)).toBe(true);
  expect((await made(ensureKeys(folder, 'other'))).map(({id}) => id)).toEqual([key?.id]);
});

test('of several at once, all get the same key, and nothing else remains', async () => {
  const all = await Promise.all(Array.from({length: 8}, () => made(ensureKeys(folder, 'build'))));
  expect(new Set(all.map(([key]) => key?.verifierKey)).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['1.key']);
});

test('a rotation adds a second key after the first, and removes the first', async () => {
  const [first] = await made(ensureKeys(folder, 'build'));
  const both = await made(addKey(folder, 'build'));
  expect(both.map(({id}) => id)).toEqual([first?.id, both[1]?.id]);
  expect(both[0]?.id).not.toBe(both[1]?.id);
  expect((await made(removeKey(folder, first!.id))).map(({id}) => id)).toEqual([both[1]?.id]);
  expect((await made(readKeys(folder))).map(({id}) => id)).toEqual([both[1]?.id]);
  expect(await removeKey(folder, both[1]!.id)).toMatchObject({
    problem: {message: `\`${both[1]?.id}\` is the only key`},
  });
  expect(await removeKey(folder, 'build+00000000')).toMatchObject({
    problem: {message: 'there is no key `build+00000000`', help: `name one of these: \`${both[1]?.id}\``},
  });
});

test.skipIf(process.platform === 'win32')('only its user can read a key, and another one is refused', async () => {
  await ensureKeys(folder, 'build');
  const file = join(folder, '1.key');
  expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  for (const mode of [0o604, 0o640, 0o620, 0o644]) {
    chmodSync(file, mode);
    expect(readKeys(folder)).toEqual({
      ok: false,
      problem: {
        message: `\`${file}\` is a private key that other users can read or write`,
        help: `run \`chmod 600 ${file}\`, and replace the key if another user may have read it`,
      },
    });
  }
});

test('a file that is not a key is refused, not replaced', async () => {
  await ensureKeys(folder, 'build');
  writeFileSync(join(folder, '1.key'), 'nonsense');
  expect(await ensureKeys(folder, 'build')).toMatchObject({
    problem: {message: expect.stringContaining('is not a private key')},
  });
});
