import {chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {failed, ok, type Outcome} from '../outcome.ts';
import {forgetKeptTrials, keptTrial, type TrialToKeep} from './kept-trial.ts';

const hourMs = 60 * 60_000;
let folder: string;
let runs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-trial-'));
  runs = 0;
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true});
});

async function trial(rest: Partial<TrialToKeep<number>> = {}): Promise<Outcome<number>> {
  return await keptTrial({
    key: ['a', 'b'],
    run: () => Promise.resolve(ok((runs += 1))),
    ...rest,
  });
}

/** Of the only result that is kept. */
function setAge(milliseconds: number): void {
  const [cache = ''] = readdirSync(folder);
  const [name = ''] = readdirSync(join(folder, cache));
  const time = (Date.now() - milliseconds) / 1000;
  utimesSync(join(folder, cache, name), time, time);
}

test('what was found is used again, for the same key alone', async () => {
  expect(await trial()).toEqual(ok(1));
  expect(await trial()).toEqual(ok(1));
  expect(await trial({key: ['ab']})).toEqual(ok(2));
});

test('a result is valid for its time, and a clock that was set back does not prolong it', async () => {
  await trial({validMs: hourMs});
  setAge(hourMs / 2);
  expect(await trial({validMs: hourMs})).toEqual(ok(1));
  setAge(hourMs + 1000);
  expect(await trial({validMs: hourMs})).toEqual(ok(2));
  setAge(-hourMs);
  expect(await trial({validMs: hourMs})).toEqual(ok(3));
  setAge(1000 * hourMs);
  expect(await trial()).toEqual(ok(3));
});

test('a result that a power cut has damaged is replaced', async () => {
  await trial();
  const [cache = ''] = readdirSync(folder);
  const [name = ''] = readdirSync(join(folder, cache));
  writeFileSync(join(folder, cache, name), '');
  expect(await trial()).toEqual(ok(2));
  expect(await trial()).toEqual(ok(2));
});

test('a result that cannot be stored is returned, and leaves no file', async () => {
  await trial();
  const [cache = ''] = readdirSync(folder);
  const [name = ''] = readdirSync(join(folder, cache));
  // A rename onto a directory fails for every user.
  rmSync(join(folder, cache, name));
  mkdirSync(join(folder, cache, name, 'inner'), {recursive: true});
  setAge(2 * hourMs);
  expect(await trial({validMs: hourMs})).toEqual(ok(2));
  expect(readdirSync(join(folder, cache))).toEqual([name]);
});

test('neither a failure nor a result that is not to be kept is kept', async () => {
  const problem = {message: 'it failed', help: 'retry'};
  expect(await trial({run: () => Promise.resolve(failed(problem))})).toEqual(failed(problem));
  expect(await trial({isKept: (found) => found > 1})).toEqual(ok(1));
  expect(await trial({isKept: (found) => found > 1})).toEqual(ok(2));
  expect(await trial({isKept: (found) => found > 1})).toEqual(ok(2));
});

test('what is forgotten is tried again, and nothing else in the folder is removed', async () => {
  await forgetKeptTrials();
  await trial();
  await trial({key: ['other']});
  const [cache = ''] = readdirSync(folder);
  writeFileSync(join(folder, cache, 'system'), '');
  await forgetKeptTrials();
  expect(readdirSync(join(folder, cache))).toEqual(['system']);
  expect(await trial()).toEqual(ok(3));
  expect(await trial()).toEqual(ok(3));
});

test('in a folder that others can write to, nothing is forgotten, because nothing is used', async () => {
  await trial();
  const [cache = ''] = readdirSync(folder);
  chmodSync(join(folder, cache), 0o777);
  await forgetKeptTrials();
  expect(readdirSync(join(folder, cache))).toHaveLength(1);
  expect(await trial()).toEqual(ok(2));
});
