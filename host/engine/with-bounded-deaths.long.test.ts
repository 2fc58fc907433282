import type {EngineWork} from '@lumenflow/kernel/adapters';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {withBoundedDeaths} from './with-bounded-deaths.ts';

const {signal} = new AbortController();
const over = {state: 'over'} as const;
let folder: string;
let calls: number;
let attempts: number;
let work: EngineWork;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lumenflow-deaths-')), 'notes');
  [calls, attempts] = [0, 0];
  work = bounded(async () => await Promise.resolve(over));
});
afterEach(() => rmSync(join(folder, '..'), {recursive: true}));

function bounded(advance: () => Promise<typeof over>): EngineWork {
  const counted: EngineWork = {
    async advance() {
      attempts += 1;
      return await advance();
    },
    read: async () => await Promise.resolve(undefined),
  };
  return withBoundedDeaths(counted, {folder, deathsMax: 3, callsOf: async () => await Promise.resolve(calls)});
}

/** Begins an attempt that never ends, as a worker that was killed leaves it. */
async function die(run_id = 'run-1'): Promise<void> {
  const before = attempts;
  void bounded(async () => await new Promise<never>(() => undefined)).advance(run_id, signal);
  await expect.poll(() => attempts).toBe(before + 1);
}

test('a run whose attempts kill their process is refused after the bound, and may begin again after that', async () => {
  const program = fileURLToPath(new URL('dying-attempt.fixture.ts', import.meta.url));
  const args = ['--import', 'tsx', '--conditions', '@lumenflow/source', program, folder];
  for (let deaths = 0; deaths < 3; deaths += 1) expect(spawnSync(process.execPath, args).signal).toBe('SIGKILL');
  await expect(work.advance('run-1', signal)).rejects.toMatchObject({
    is_final: true,
    message: 'workers ended during 3 attempts in a row, and completed no call',
  });
  expect(attempts).toBe(0);
  expect(await work.advance('run-1', signal)).toEqual(over);
});

test('an attempt that ends, or rejects, leaves nothing, and runs are counted apart', async () => {
  await die();
  await die();
  expect(await work.advance('run-1', signal)).toEqual(over);
  const broken = bounded(async () => await Promise.reject(new Error('broken')));
  for (let tries = 0; tries < 5; tries += 1) await expect(broken.advance('run-2', signal)).rejects.toThrow('broken');
  expect(readdirSync(folder)).toEqual([]);
  for (const run of ['run-1', 'run-2', 'run-3']) await die(run);
  expect(await work.advance('run-1', signal)).toEqual(over);
});

test('a run that made progress before its worker died is counted from zero', async () => {
  for (let deaths = 0; deaths < 8; deaths += 1) {
    await die();
    calls += 1;
  }
  expect(await work.advance('run-1', signal)).toEqual(over);
});

test('a note that is half written counts, and odd ids stay in the folder', async () => {
  await die();
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"dea');
  await die();
  await die();
  await expect(work.advance('run-1', signal)).rejects.toMatchObject({is_final: true});
  for (const odd of ['../../x', '.', 'x'.repeat(2 ** 20)]) expect(await work.advance(odd, signal)).toEqual(over);
});
