// The spares of a warm pool by kind, and the bounds on them: their number, their memory, and the time without a call.
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
  /** Calls that one sandbox serves if reuse is requested; default 100. */
  readonly reusesMax?: number;
}

/** A spare, and the files that it was started on. */
export interface StoredSpare {
  readonly files: string;
  readonly spare: Spare;
}

/** Starts one spare. Undefined when it cannot be had now. */
export type StartSpare = () => Promise<StoredSpare | undefined>;

export interface Bucket {
  readonly kind: string;
  spares: StoredSpare[];
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
  readonly buckets: Map<string, Bucket>;
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
    buckets: new Map(),
    ending: new Set(),
    discarded: 0,
    isClosed: false,
  };
}

export function usableSpares({buckets}: Pick<Stock, 'buckets'>): readonly StoredSpare[] {
  return [...buckets.values()].flatMap(usableIn);
}

function usableIn({spares}: Bucket): readonly StoredSpare[] {
  return spares.filter(({spare}) => spare.isUsable());
}

export function bucketOf({buckets}: Stock, kind: string): Bucket {
  const bucket = buckets.get(kind) ?? {
    kind,
    spares: [],
    arrivals: [],
    start: undefined,
    startsLeft: 0,
  };
  buckets.delete(kind);
  buckets.set(kind, bucket);
  return bucket;
}

/** A call has come. What was started on other files than its own is of no use any more. */
export function takeFrom(stock: Stock, bucket: Bucket, files: string): Spare | undefined {
  bucket.arrivals = [...bucket.arrivals.slice(-stock.limits.sparesOfKindMax), stock.now()];
  const usable = usableIn(bucket).filter((stored) => stored.files === files);
  for (const stored of bucket.spares) if (!usable.includes(stored)) discard(stock, stored);
  const [acquired, ...left] = usable;
  bucket.spares = left;
  return acquired?.spare;
}

/** The one that was called last of those with fewer spares than calls of late ask for. */
export function bucketInNeed(stock: Stock): Bucket | undefined {
  if (stock.isClosed) return undefined;
  return [...stock.buckets.values()]
    .toReversed()
    .find(
      (bucket) =>
        bucket.start !== undefined && bucket.startsLeft > 0 && usableIn(bucket).length < wanted(stock, bucket),
    );
}

function wanted({limits, now}: Stock, {arrivals}: Bucket): number {
  const recent = arrivals.filter((at) => now() - at < burstMs).length;
  return Math.min(limits.sparesOfKindMax, 1 + recent);
}

/** Evicts the kinds whose last call is the oldest. */
export function makeRoom(stock: Stock, bucket: Bucket): boolean {
  while (!hasRoom(stock)) {
    const other = [...stock.buckets.values()].find(({spares}) => spares.length > 0);
    if (other === undefined || other === bucket) return false;
    trim(stock, other, other.spares.length - 1);
    // Until it is called again: two kinds would take each other's room for ever.
    other.start = undefined;
  }
  return true;
}

function hasRoom(stock: Stock): boolean {
  const spares = usableSpares(stock);
  const memory = spares.reduce((sum, {spare}) => sum + spare.memoryBytes, 0);
  return spares.length < stock.limits.sparesMax && memory < stock.limits.idleMemoryBytesMax;
}

export function trim(stock: Stock, bucket: Bucket, keep: number): void {
  for (const stored of bucket.spares.splice(keep)) discard(stock, stored);
}

export function discard(stock: Stock, {spare}: StoredSpare): void {
  stock.discarded += 1;
  // A waiting spare keeps no process alive. `close` waits for the spare's end, which must come before the process ends.
  spare.runner.keepAlive(true);
  spare.runner.kill();
  const end = spare.runner.ended.finally(() => stock.ending.delete(end));
  stock.ending.add(end);
}

/** To be called now and then. */
export function sweep(stock: Stock): void {
  const {idleMs} = stock.limits;
  for (const [kind, bucket] of stock.buckets) {
    const idle = stock.now() - (bucket.arrivals.at(-1) ?? 0);
    if (idle >= idleMs) {
      trim(stock, bucket, 0);
      stock.buckets.delete(kind);
    } else if (idle >= idleMs / 4) trim(stock, bucket, 1);
  }
}
