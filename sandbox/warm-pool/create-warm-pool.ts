// Keeps spares for the kinds of calls that come. How many follows from how often they come; none is started while a
// call is under way to its result, and those that nobody wants end after a while.
import type {WarmPoolCounters} from '../backends/warm-pool-counters.ts';
import {standAgain, type Spare, type SpareRunner} from './spare.ts';
import type {SpareKey} from './spare-key.ts';
import {
  discard,
  makeRoom,
  needyShelf,
  openStock,
  shelfOf,
  standing,
  sweep,
  takeFrom,
  trim,
  type Filed,
  type StartSpare,
  type WarmPoolLimits,
} from './stock.ts';

export interface WarmPool {
  /** The call has come. A spare is given to one call only. */
  take(key: SpareKey): Spare | undefined;
  /** The call has its result: now spares for the next may be started. */
  restock(key: SpareKey, start: StartSpare): void;
  /** Puts back a runner that may serve further calls of this key; ends it when it has served enough. */
  keep(key: SpareKey, runner: SpareRunner, served: number): void;
  counters(): WarmPoolCounters;
  /** Ends all spares, and waits for their end. */
  close(): Promise<void>;
}

export function createWarmPool(limits: WarmPoolLimits, now: () => number): WarmPool {
  const stock = openStock(limits, now);
  const counts = {hits: 0, misses: 0, refills: 0};
  let sweeping: NodeJS.Timeout | undefined;
  let filling: Promise<void> | undefined;

  /** One spare after the other: starting them is not to slow the calls down that come meanwhile. */
  async function fill(): Promise<void> {
    for (let shelf = needyShelf(stock); shelf !== undefined; shelf = needyShelf(stock)) {
      shelf.startsLeft -= 1;
      const started = makeRoom(stock, shelf) ? await shelf.start?.() : undefined;
      if (started === undefined) shelf.start = undefined;
      else {
        counts.refills += 1;
        putBack(shelf.kind, started);
      }
    }
  }

  function putBack(kind: string, filed: Filed): void {
    if (stock.isClosed || !makeRoom(stock, shelfOf(stock, kind))) return discard(stock, filed);
    shelfOf(stock, kind).spares.push(filed);
    sweeping ??= setInterval(() => sweep(stock), stock.limits.idleMs / 8).unref();
  }

  return {
    take({kind, files}) {
      const taken = takeFrom(stock, shelfOf(stock, kind), files);
      counts[taken === undefined ? 'misses' : 'hits'] += 1;
      taken?.take();
      return taken;
    },
    restock({kind}, start) {
      Object.assign(shelfOf(stock, kind), {start, startsLeft: stock.limits.sparesOfKindMax});
      setImmediate(() => {
        filling ??= fill().finally(() => (filling = undefined));
      });
    },
    keep({kind, files}, runner, served) {
      const spare = served < stock.limits.reusesMax ? standAgain(runner, served) : undefined;
      if (spare === undefined) runner.kill();
      else putBack(kind, {files, spare});
    },
    counters() {
      const spares = standing(stock);
      const spareMemoryBytes = spares.reduce((sum, {spare}) => sum + spare.memoryBytes, 0);
      const starting = filling === undefined ? 0 : 1;
      return {spares: spares.length, starting, spareMemoryBytes, ...counts, discarded: stock.discarded};
    },
    async close() {
      stock.isClosed = true;
      clearInterval(sweeping);
      for (const shelf of stock.shelves.values()) trim(stock, shelf, 0);
      await filling;
      await Promise.all(stock.ending);
    },
  };
}
