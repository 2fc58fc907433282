// The spares that a warm pool has, kind by kind, and what makes them fewer: too many of them, too much memory, too long
// without a call.
import type {Spare} from './spare.ts';

export interface WarmPoolLimits {
  /** Spares at once, of all kinds; default 8. */
  readonly sparesMax?: number;
  /** Of one kind; default 4. */
  readonly sparesOfKindMax?: number;
  /** What all spares may use together; default 512 MiB. */
  readonly idleMemoryBytesMax?: number;
  /** After the last call of their kind spares are kept for this long; default 60,000. */
  readonly idleMs?: number;
  /** Calls that one sandbox serves where reuse is asked for; default 100. */
  readonly reusesMax?: number;
}

/** A spare, and the files that it was started on. */
export interface Filed {
  readonly files: string;
  readonly spare: Spare;
}

/** Starts one spare. Undefined when it cannot be had now. */
export type StartSpare = () => Promise<Filed | undefined>;

export interface Shelf {
  readonly kind: string;
  spares: Filed[];
  /** Of the last calls of the kind, in milliseconds. */
  arrivals: readonly number[];
  /** Undefined until a call has ended, after a start that failed, and when others took the room. */
  start: StartSpare | undefined;
  /** Until the next call: a spare that ends by itself is not started for ever. */
  startsLeft: number;
}

export interface Stock {
  readonly limits: Required<WarmPoolLimits>;
  readonly now: () => number;
  /** The kind that was called last comes last. */
  readonly shelves: Map<string, Shelf>;
  /** Of spares that were discarded. */
  readonly ending: Set<Promise<unknown>>;
  discarded: number;
  isClosed: boolean;
}

/** Calls that come within this time may all want a spare before a new one is ready. */
const burstMs = 500;

export function openStock(limits: WarmPoolLimits, now: () => number): Stock {
  return {
    limits: {
      sparesMax: 8,
      sparesOfKindMax: 4,
      idleMemoryBytesMax: 512 * 1024 ** 2,
      idleMs: 60_000,
      reusesMax: 100,
      ...limits,
    },
    now,
    shelves: new Map(),
    ending: new Set(),
    discarded: 0,
    isClosed: false,
  };
}

export function standing({shelves}: Pick<Stock, 'shelves'>): readonly Filed[] {
  return [...shelves.values()].flatMap(standingOf);
}

function standingOf({spares}: Shelf): readonly Filed[] {
  return spares.filter(({spare}) => spare.isStanding());
}

export function shelfOf({shelves}: Stock, kind: string): Shelf {
  const shelf = shelves.get(kind) ?? {kind, spares: [], arrivals: [], start: undefined, startsLeft: 0};
  shelves.delete(kind);
  shelves.set(kind, shelf);
  return shelf;
}

/** A call has come. What was started on other files than its own is of no use any more. */
export function takeFrom(stock: Stock, shelf: Shelf, files: string): Spare | undefined {
  shelf.arrivals = [...shelf.arrivals.slice(-stock.limits.sparesOfKindMax), stock.now()];
  const usable = standingOf(shelf).filter((filed) => filed.files === files);
  for (const filed of shelf.spares) if (!usable.includes(filed)) discard(stock, filed);
  const [taken, ...left] = usable;
  shelf.spares = left;
  return taken?.spare;
}

/** The one that was called last of those with fewer spares than calls of late ask for. */
export function needyShelf(stock: Stock): Shelf | undefined {
  if (stock.isClosed) return undefined;
  return [...stock.shelves.values()]
    .toReversed()
    .find(
      (shelf) => shelf.start !== undefined && shelf.startsLeft > 0 && standingOf(shelf).length < wanted(stock, shelf),
    );
}

function wanted({limits, now}: Stock, {arrivals}: Shelf): number {
  const recent = arrivals.filter((at) => now() - at < burstMs).length;
  return Math.min(limits.sparesOfKindMax, 1 + recent);
}

/** Kinds that were not called for longer give way. */
export function makeRoom(stock: Stock, shelf: Shelf): boolean {
  while (!hasRoom(stock)) {
    const other = [...stock.shelves.values()].find(({spares}) => spares.length > 0);
    if (other === undefined || other === shelf) return false;
    trim(stock, other, other.spares.length - 1);
    // Until it is called again: two kinds would take each other's room for ever.
    other.start = undefined;
  }
  return true;
}

function hasRoom(stock: Stock): boolean {
  const spares = standing(stock);
  const memory = spares.reduce((sum, {spare}) => sum + spare.memoryBytes, 0);
  return spares.length < stock.limits.sparesMax && memory < stock.limits.idleMemoryBytesMax;
}

export function trim(stock: Stock, shelf: Shelf, keep: number): void {
  for (const filed of shelf.spares.splice(keep)) discard(stock, filed);
}

export function discard(stock: Stock, {spare}: Filed): void {
  stock.discarded += 1;
  // A spare that waits keeps no process alive; who closes waits for its end, which must come before the process ends.
  spare.runner.hold(true);
  spare.runner.kill();
  const end = spare.runner.ended.finally(() => stock.ending.delete(end));
  stock.ending.add(end);
}

/** To be called now and then. */
export function sweep(stock: Stock): void {
  const {idleMs} = stock.limits;
  for (const [kind, shelf] of stock.shelves) {
    const idle = stock.now() - (shelf.arrivals.at(-1) ?? 0);
    if (idle >= idleMs) {
      trim(stock, shelf, 0);
      stock.shelves.delete(kind);
    } else if (idle >= idleMs / 4) trim(stock, shelf, 1);
  }
}
