// What the calls of a rule with `at_most` add up to, folded from the event log. All processes of a workspace read the same log, so a limit
// applies across processes and restarts.
import type {CallCounted} from '@lumenflow/schemas';
import {instantOf} from '../policy/index.ts';

export interface Usage {
  /** What counts at this time, within a period that ends there or from the beginning. */
  used(key: string, atMs: number, perMs: number | undefined): number;
  /** When a use that is counted at this time begins to count: later, if a clock was ahead or was set back. Times are UTC ISO 8601. */
  countsFrom(timestamp: string): string;
  apply(event: CallCounted): void;
  /** As JSON, for `createUsage`. */
  state(): UsageState;
}

export interface UsageState {
  readonly newestMs: number;
  readonly counts: readonly (readonly [key: string, count: Count])[];
}

/** Amounts that were counted at nearly the same time. They stop to count together, at the end of the newest one's period. */
interface Bucket {
  readonly fromMs: number;
  toMs: number;
  amount: number;
}

interface Count {
  total: number;
  readonly perMs?: number | undefined;
  /** Oldest first; none of a count from the beginning. */
  buckets: Bucket[];
}

/** Parts of a period that are counted apart. So the memory of a count and the cost of a decision are bounded, whatever the limit. */
const bucketsOfPeriod = 1_000;
const sweepMin = 10_000;

export function createUsage(from: UsageState = {newestMs: 0, counts: []}): Usage {
  const counts = new Map(from.counts);
  let sweepAt = Math.max(sweepMin, counts.size * 2);
  let {newestMs} = from;
  let newestAt: string | undefined;

  function sweep(): void {
    for (const [key, {perMs, buckets}] of counts) {
      const last = buckets.at(-1);
      if (perMs !== undefined && (last === undefined || isOver(last, newestMs, perMs))) counts.delete(key);
    }
    sweepAt = Math.max(sweepMin, counts.size * 2);
  }

  return {
    used(key, atMs, perMs) {
      const count = counts.get(key);
      if (count === undefined) return 0;
      if (perMs === undefined) return count.total;
      return count.buckets.reduce((sum, bucket) => (isOver(bucket, atMs, perMs) ? sum : sum + bucket.amount), 0);
    },
    // Clocks of several machines differ, and a clock may be set back: nothing may stop to count earlier for that.
    countsFrom: (timestamp) => ((instantOf(timestamp) ?? newestMs) < newestMs ? (newestAt ?? timestamp) : timestamp),
    apply({timestamp, counts: added}) {
      const atMs = instantOf(timestamp) ?? newestMs;
      if (atMs >= newestMs) [newestMs, newestAt] = [atMs, timestamp];
      for (const {key, amount, per_ms: perMs, since} of added) {
        const count = counts.get(key) ?? {total: 0, perMs, buckets: []};
        counts.set(key, count);
        if (perMs === undefined) count.total += amount;
        else if (amount < 0) takeBack(count, amount, (since === undefined ? undefined : instantOf(since)) ?? newestMs);
        else add(count, {amount, atMs: newestMs, perMs});
      }
      if (counts.size > sweepAt) sweep();
    },
    state: () => ({newestMs, counts: [...counts]}),
  };
}

function add(count: Count, {amount, atMs, perMs}: {amount: number; atMs: number; perMs: number}): void {
  const last = count.buckets.at(-1);
  if (last !== undefined && atMs - last.fromMs < perMs / bucketsOfPeriod) {
    last.toMs = atMs;
    last.amount += amount;
    return;
  }
  const first = count.buckets.findIndex((bucket) => !isOver(bucket, atMs, perMs));
  count.buckets.splice(0, first === -1 ? count.buckets.length : first);
  count.buckets.push({fromMs: atMs, toMs: atMs, amount});
}

/** From what was counted at that time, so that both stop to count together. What is over needs no correction. */
function takeBack({buckets}: Count, amount: number, atMs: number): void {
  const bucket = buckets.findLast(({fromMs}) => fromMs <= atMs);
  if (bucket !== undefined && atMs <= bucket.toMs) bucket.amount += amount;
}

function isOver({toMs}: Bucket, atMs: number, perMs: number): boolean {
  return atMs - toMs >= perMs;
}
