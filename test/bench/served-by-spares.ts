// Measures calls as a host makes them that is not busy: each finds a sandbox that was started before it.
import type {Sandbox, WarmPoolCounters} from '@lumenflow/sandbox';
import {setTimeout as delay} from 'node:timers/promises';
import type {Sampler} from './compare.ts';

/** The time of each of `count` calls that a spare was ready for. */
export function servedBySpares(count: number, sandbox: Sandbox, call: () => Promise<unknown>): Sampler {
  return async () => {
    const times: number[] = [];
    await call();
    while (times.length < count) {
      await restocked(sandbox);
      const {hits} = countersOf(sandbox);
      const started = performance.now();
      await call();
      const took = performance.now() - started;
      if (countersOf(sandbox).hits === hits) throw new Error('a call that a spare was ready for started cold');
      times.push(took);
    }
    return times;
  };
}

async function restocked(sandbox: Sandbox): Promise<void> {
  // Starting them begins after the call, and is not to be measured with the next.
  do await delay(20);
  while (countersOf(sandbox).starting > 0 || countersOf(sandbox).spares === 0);
}

function countersOf(sandbox: Sandbox): WarmPoolCounters {
  const counters = sandbox.warmPool();
  if (counters === undefined) throw new Error('this sandbox keeps no spares');
  return counters;
}
