// How many spares there are, and which of them end; no sandbox is started here.
import {PassThrough} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createWarmPool, type WarmPool} from './create-warm-pool.ts';
import {activateAgain, type RunnerWithResources} from './spare.ts';
import type {StartSpare, WarmPoolLimits} from './stock.ts';

const mebibyte = 1024 ** 2;

interface Started {
  readonly pool: WarmPool;
  /** Of all runners, by the order of their start. */
  readonly killed: boolean[];
  readonly clock: {now: number};
  start(files?: string): StartSpare;
  /** A call from its arrival to its end. */
  call(kind: string, files?: string): Promise<boolean>;
}

function started(limits: WarmPoolLimits = {}): Started {
  const clock = {now: 1000};
  const pool = createWarmPool(limits, () => clock.now);
  const killed: boolean[] = [];
  function runner(): RunnerWithResources {
    const index = killed.push(false) - 1;
    const usage = {memoryBytes: 10 * mebibyte, peakMemoryBytes: 0, cpuMs: 0, processes: 1, tmpFiles: 0};
    return {
      pid: index,
      wire: new PassThrough(),
      stdout: undefined,
      stderr: undefined,
      ended: Promise.resolve({exitCode: 0}),
      meter: {read: () => usage, ranOutOfMemory: () => false},
      degraded: [],
      network: undefined,
      view: undefined,
      releaseView: () => undefined,
      closeNetwork: async () => undefined,
      kill: () => void (killed[index] = true),
      keepAlive: () => undefined,
      setUpProblem: () => undefined,
    };
  }
  const start =
    (files = 'same'): StartSpare =>
    async () => {
      const spare = activateAgain(runner(), 0);
      return spare && {files, spare};
    };
  return {
    pool,
    killed,
    clock,
    start,
    async call(kind, files = 'same') {
      const key = {kind, files};
      const isWarm = pool.acquire(key) !== undefined;
      pool.restock(key, start(files));
      await delay(5);
      return isWarm;
    },
  };
}

test('no spare before the first call has ended; then there is one, and one more for each call of a burst', async () => {
  const {pool, call, clock} = started();
  expect(pool.counters()).toMatchObject({spares: 0, refills: 0});
  expect(await call('a')).toBe(false);
  expect(pool.counters()).toMatchObject({spares: 2, misses: 1, hits: 0});
  clock.now += 1000;
  expect(await call('a')).toBe(true);
  expect(pool.counters()).toMatchObject({spares: 2, hits: 1});
  for (let index = 0; index < 10; index += 1) await call('a');
  expect(pool.counters()).toMatchObject({spares: 4, spareMemoryBytes: 40 * mebibyte});
});

test('a spare serves one call, of its kind and files only', async () => {
  const {pool, call, killed} = started({sparesOfKindMax: 1});
  await call('a');
  expect(pool.acquire({kind: 'b', files: 'same'})).toBeUndefined();
  const spare = pool.acquire({kind: 'a', files: 'same'});
  expect(spare?.isUsable()).toBe(false);
  expect(pool.acquire({kind: 'a', files: 'same'})).toBeUndefined();
  await call('a');
  expect(pool.acquire({kind: 'a', files: 'other'})).toBeUndefined();
  expect(killed).toEqual([false, true]);
});

test.each([
  ['their number', {sparesMax: 3, sparesOfKindMax: 1}],
  ['their memory', {idleMemoryBytesMax: 30 * mebibyte, sparesOfKindMax: 1}],
])('%s is bounded: the kind whose last call is the oldest is evicted', async (_, limits) => {
  const {pool, call, killed} = started(limits);
  for (const kind of ['a', 'b', 'c', 'd']) await call(kind);
  expect(pool.counters()).toMatchObject({spares: 3, refills: 4, discarded: 1});
  expect(killed).toEqual([true, false, false, false]);
});

test('a spare that ends is not started over and over', async () => {
  const {pool, killed} = started({sparesOfKindMax: 3});
  let starts = 0;
  pool.restock({kind: 'a', files: 'same'}, async () => {
    starts += 1;
    const wire = new PassThrough();
    const spare = activateAgain({...brief, wire}, 0);
    wire.destroy();
    await delay(1);
    return spare && {files: 'same', spare};
  });
  await delay(50);
  expect(starts).toBe(3);
  expect(killed).toEqual([]);
});

test('a failed start is not retried before the next call', async () => {
  const {pool} = started();
  let starts = 0;
  const failing: StartSpare = async () => void (starts += 1);
  pool.restock({kind: 'a', files: 'same'}, failing);
  await delay(20);
  expect(starts).toBe(1);
});

test('unused spares end after a while', async () => {
  const {pool, call, clock} = started({idleMs: 80});
  await call('a');
  clock.now += 30;
  await delay(30);
  expect(pool.counters().spares).toBe(1);
  clock.now += 100;
  await delay(30);
  expect(pool.counters()).toMatchObject({spares: 0, discarded: 2});
});

test('closing ends all spares, also those being started, and starts no more', async () => {
  const {pool, call, start, killed} = started();
  await call('a');
  pool.restock({kind: 'b', files: 'same'}, async () => {
    await delay(30);
    return start()();
  });
  await delay(10);
  await pool.close();
  await call('a');
  expect(killed).toEqual([true, true, true]);
  expect(pool.counters().spares).toBe(0);
});

test('a runner is kept for a limited number of calls', () => {
  const {pool, killed} = started({reusesMax: 2});
  const key = {kind: 'task', files: 'same'};
  const runner = {...brief, wire: new PassThrough(), kill: () => void killed.push(true)};
  pool.keep(key, runner, 1);
  expect(pool.acquire(key)?.served).toBe(1);
  pool.keep(key, runner, 2);
  expect(killed).toEqual([true]);
  expect(pool.acquire(key)).toBeUndefined();
});

const brief: RunnerWithResources = {
  pid: 1,
  wire: undefined,
  stdout: undefined,
  stderr: undefined,
  ended: Promise.resolve({exitCode: 0}),
  meter: undefined,
  degraded: [],
  network: undefined,
  view: undefined,
  releaseView: () => undefined,
  closeNetwork: async () => undefined,
  kill: () => undefined,
  keepAlive: () => undefined,
  setUpProblem: () => undefined,
};
