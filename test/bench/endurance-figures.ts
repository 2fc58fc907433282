// What a host is after much work: whether all of it was recorded, what a call costs by then, and what memory is kept.
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {openBenchSession, type BenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {manyAtOnce, oneByOne} from './samplers.ts';

const callers = 512;
const atOnce = 64;
const someCalls = 100_000;
const manyCalls = 1_000_000;

export async function* enduranceFigures(effort: Effort): AsyncGenerator<Figure> {
  yield await crowdFigure(operations(effort, 20_000));
  if (effort.long) yield* longRunFigures(effort);
}

/** Calls that failed, and records that the log does not have. */
async function crowdFigure(calls: number): Promise<Figure> {
  const session = await openBenchSession();
  try {
    let failed = 0;
    await manyAtOnce(calls, callers, () => session.call('noop:read').catch(() => (failed += 1)))();
    await session.host.runtime.evidence.checkpoint();
    const {records, status} = await session.host.runtime.evidence.verify();
    if (status !== 'verified') throw new Error(`the log of ${calls} calls is ${status}`);
    return {
      id: 'endurance.crowd',
      title: `lost of ${calls.toLocaleString('en')} calls by ${callers} callers`,
      unit: 'count',
      runs: 1,
      p50: failed + Math.abs(2 * calls - records),
      bar: {of: 'value', limit: 0},
    };
  } finally {
    await session.close();
  }
}

async function* longRunFigures(effort: Effort): AsyncGenerator<Figure> {
  const old = await openBenchSession();
  try {
    const some = await heapAfter(old, {from: 0, to: someCalls}, effort);
    const many = await heapAfter(old, {from: someCalls, to: manyCalls}, effort);
    yield {
      id: 'endurance.heap',
      title: 'heap after 1,000,000 calls',
      unit: 'mib',
      runs: 1,
      p50: many,
      baseline: {title: 'after 100,000', p50: some},
      ratio: many / some,
      bar: {of: 'ratio', limit: 1.2},
    };
    yield await agedCallFigure(old, effort);
  } finally {
    await old.close();
  }
}

/** MiB in use once what is not is collected. */
async function heapAfter(
  session: BenchSession,
  calls: {readonly from: number; readonly to: number},
  effort: Effort,
): Promise<number> {
  const step = 50_000;
  for (let done = calls.from; done < calls.to; done += step) {
    await manyAtOnce(step, atOnce, () => session.call('noop:read'))();
    effort.report(`${(done + step).toLocaleString('en')} of ${manyCalls.toLocaleString('en')} calls`);
  }
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function agedCallFigure(old: BenchSession, {runs}: Effort): Promise<Figure> {
  const fresh = await openBenchSession();
  try {
    const count = 150;
    await oneByOne(4_000, () => fresh.call('noop:read'))();
    return await compare({
      id: 'endurance.latency',
      title: 'a call after 1,000,000 recorded ones',
      unit: 'ms',
      runs: runs * 4,
      sample: oneByOne(count, () => old.call('noop:read')),
      baseline: {title: 'on an empty log', sample: oneByOne(count, () => fresh.call('noop:read'))},
      bar: {of: 'ratio', limit: 1.2},
    });
  } finally {
    await fresh.close();
  }
}
