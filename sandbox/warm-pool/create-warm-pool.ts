// Keeps spares for the kinds of calls that arrive. Their number follows from how often each kind arrives. None is started while a
// call is running, and unused spares end after a while.
import type {WarmPoolCounters} from '../backends/warm-pool-counters.ts';
import {activateAgain, type Spare, type RunnerWithResources} from './spare.ts';
import type {SpareKey} from './spare-key.ts';
import {
  discard,
  makeRoom,
  bucketInNeed,
  openStock,
  bucketOf,
  usableSpares,
  sweep,
  takeFrom,
  trim,
  type StoredSpare,
  type StartSpare,
  type WarmPoolLimits,
} from './stock.ts';

export interface WarmPool {
  /** The call has come. A spare is given to one call only. */
  acquire(key: SpareKey): Spare | undefined;
  /** The call has its result: now spares for the next may be started. */
  restock(key: SpareKey, start: StartSpare): void;
  /** Returns a runner that may serve further calls of this key to the pool; ends it once it has served enough. */
  keep(key: SpareKey, runner: RunnerWithResources, served: number): void;
  counters(): WarmPoolCounters;
  /** Ends all spares, and waits for their end. */
  close(): Promise<void>;
}

/** For a result to be sent: starting a process stops this one for a while. */
const settleMs = 2;

export function createWarmPool(limits: WarmPoolLimits, now: () => number): WarmPool {
  const stock = openStock(limits, now);
  const counts = {hits: 0, misses: 0, refills: 0};
  let sweeping: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let filling: Promise<void> | undefined;

  /** One spare after the other, so that starting them does not slow down calls. */
  async function fill(): Promise<void> {
    for (let bucket = bucketInNeed(stock); bucket !== undefined; bucket = bucketInNeed(stock)) {
      bucket.startsLeft -= 1;
      const started = makeRoom(stock, bucket) ? await bucket.start?.() : undefined;
      if (started === undefined) bucket.start = undefined;
      else {
        counts.refills += 1;
        putBack(bucket.kind, started);
      }
    }
  }

  function putBack(kind: string, stored: StoredSpare): void {
    if (stock.isClosed || !makeRoom(stock, bucketOf(stock, kind))) return discard(stock, stored);
    bucketOf(stock, kind).spares.push(stored);
    sweeping ??= setInterval(() => sweep(stock), stock.limits.idleMs / 8).unref();
  }

  return {
    acquire({kind, files}) {
      const acquired = takeFrom(stock, bucketOf(stock, kind), files);
      counts[acquired === undefined ? 'misses' : 'hits'] += 1;
      acquired?.assign();
      return acquired;
    },
    restock({kind}, start) {
      Object.assign(bucketOf(stock, kind), {start, startsLeft: stock.limits.sparesOfKindMax});
      waiting ??= setTimeout(() => {
        waiting = undefined;
        filling ??= fill().finally(() => (filling = undefined));
      }, settleMs);
    },
    keep({kind, files}, runner, served) {
      const spare = served < stock.limits.reusesMax ? activateAgain(runner, served) : undefined;
      if (spare === undefined) runner.kill();
      else putBack(kind, {files, spare});
    },
    counters() {
      const spares = usableSpares(stock);
      const spareMemoryBytes = spares.reduce((sum, {spare}) => sum + spare.memoryBytes, 0);
      const starting = filling === undefined && waiting === undefined ? 0 : 1;
      return {spares: spares.length, starting, spareMemoryBytes, ...counts, discarded: stock.discarded};
    },
    async close() {
      stock.isClosed = true;
      clearInterval(sweeping);
      clearTimeout(waiting);
      for (const bucket of stock.buckets.values()) trim(stock, bucket, 0);
      await filling;
      await Promise.all(stock.ending);
    },
  };
}
