import {existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Launched} from '../bubblewrap/launch.ts';
import {saveMachine} from './save-machine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-save-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true});
});

test('a machine that does not start leaves no socket and no folder', async () => {
  vi.stubEnv('TMPDIR', folder);
  let listened = '';
  const launch = async ({portPath}: {readonly portPath: string}): Promise<Launched> => {
    await expect.poll(() => existsSync(portPath)).toBe(true);
    listened = portPath;
    throw new Error('the hypervisor is missing');
  };
  await expect(saveMachine(join(folder, 'saved'), launch)).rejects.toThrow('the hypervisor is missing');
  expect(existsSync(dirname(listened))).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  const sockets = (): readonly string[] => process.getActiveResourcesInfo().filter((name) => name.startsWith('Pipe'));
  await expect.poll(() => sockets().filter((name) => name === 'PipeServerWrap')).toEqual([]);
});
