import {mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {SpecGuard} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sha256Hex} from '../system/sha256.ts';
import {createSpecGuard} from './spec-guard.ts';

const text = 'id: my-workspace\n';
let folder: string;
let path: string;
let guard: SpecGuard;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-spec-'));
  path = join(folder, 'workspace.yaml');
  writeFileSync(path, text);
  guard = createSpecGuard([{path, hash: sha256Hex(text)}], sha256Hex(text));
});
afterEach(() => rmSync(folder, {recursive: true}));

/** Until the file's times are old enough to be trusted. */
async function settle(): Promise<void> {
  await expect.poll(() => Date.now() - statSync(path).ctimeMs).toBeGreaterThan(60);
  expect(guard.isIntact()).toBe(true);
}

test('an untouched file is intact, and so is one that was rewritten with the same bytes', async () => {
  expect(guard.specHash).toBe(sha256Hex(readFileSync(path)));
  expect(guard.isIntact()).toBe(true);
  await settle();
  writeFileSync(path, text);
  expect(guard.isIntact()).toBe(true);
  writeFileSync(join(folder, 'new'), text);
  renameSync(join(folder, 'new'), path);
  expect(guard.isIntact()).toBe(true);
});

test('other bytes are noticed, and the file stays distrusted when it is put back', async () => {
  await settle();
  writeFileSync(path, 'id: my-workspacE\n');
  expect(guard.isIntact()).toBe(false);
  writeFileSync(path, text);
  expect(guard.isIntact()).toBe(false);
});

test('other bytes of the same length and time are noticed', async () => {
  await settle();
  const {atime, mtime} = statSync(path);
  writeFileSync(path, 'id: my-workspacE\n');
  utimesSync(path, atime, mtime);
  expect(guard.isIntact()).toBe(false);
});

test('other bytes in the moment after a look are noticed in the next turn', async () => {
  for (let round = 0; round < 50; round += 1) {
    writeFileSync(path, text);
    const fresh = createSpecGuard([{path, hash: sha256Hex(text)}], sha256Hex(text));
    expect(fresh.isIntact()).toBe(true);
    writeFileSync(path, 'id: my-workspacE\n');
    await Promise.resolve();
    expect(fresh.isIntact()).toBe(false);
  }
});

test('a file that is gone is noticed', async () => {
  await settle();
  rmSync(path);
  expect(guard.isIntact()).toBe(false);
  writeFileSync(path, text);
  expect(guard.isIntact()).toBe(false);
});
