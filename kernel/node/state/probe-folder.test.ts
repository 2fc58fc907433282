// What a readiness check finds of a disk.
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createFailingDisk} from '../log/failing-disk.fixture.ts';
import {nodeFileOperations} from '../log/file-operations.ts';
import {probeFolder} from './probe-folder.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-probe-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

test('a folder that can be written keeps nothing of the probe, also when several processes probe it', async () => {
  const folder = makeFolder();
  await Promise.all([1, 2, 3].map(() => probeFolder(folder, nodeFileOperations)));
  expect(readdirSync(folder)).toEqual([]);
});

test('a full or failing disk is found, and the probe is removed', async () => {
  const folder = makeFolder();
  const full = createFailingDisk();
  full.room = 100;
  await expect(probeFolder(folder, full)).rejects.toThrow('ENOSPC');
  const failing = createFailingDisk();
  failing.syncFails = true;
  await expect(probeFolder(folder, failing)).rejects.toThrow('EIO');
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that was removed is reported as an unavailable log', async () => {
  const folder = makeFolder();
  rmSync(folder, {recursive: true});
  await expect(probeFolder(folder, nodeFileOperations)).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
});
