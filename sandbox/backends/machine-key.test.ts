import {mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {fileIdentity, machineKey} from './machine-key.ts';

test('a file that replaces another one of the same size and time differs from it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'machine-key-'));
  const [path, other] = [join(folder, 'program'), join(folder, 'other')];
  for (const file of [path, other]) {
    writeFileSync(file, 'same');
    utimesSync(file, 1, 1);
  }
  const before = fileIdentity(path);
  expect(fileIdentity(path)).toBe(before);
  renameSync(other, path);
  expect(fileIdentity(path)).not.toBe(before);
  rmSync(folder, {recursive: true});
});

test.skipIf(process.platform !== 'linux')('the machine is the same for the same user alone', () => {
  const before = machineKey();
  expect(machineKey()).toEqual(before);
  vi.spyOn(process, 'geteuid').mockReturnValue(4_711);
  expect(machineKey()).not.toEqual(before);
  vi.restoreAllMocks();
});
