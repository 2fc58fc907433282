// The sum of what several pools report.
import type {WarmPoolCounters} from '../backends/warm-pool-counters.ts';

const none: WarmPoolCounters = {
  spares: 0,
  starting: 0,
  spareMemoryBytes: 0,
  hits: 0,
  misses: 0,
  refills: 0,
  discarded: 0,
};

export function addCounters(pools: readonly (WarmPoolCounters | undefined)[]): WarmPoolCounters {
  return pools.reduce<WarmPoolCounters>((sum, counters) => (counters === undefined ? sum : add(sum, counters)), none);
}

function add(one: WarmPoolCounters, other: WarmPoolCounters): WarmPoolCounters {
  const names = Object.keys(none) as (keyof WarmPoolCounters)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Record<
    keyof WarmPoolCounters,
    number
  >;
}
