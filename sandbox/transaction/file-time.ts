/**
 * A time as Node's `utimes` takes it, exact to a microsecond. Node takes negative numbers for now, and some versions cut what a
 * double cannot hold: the third of a microsecond more keeps them from cutting off a whole one.
 */
export function fileTime(ns: bigint): number | Date {
  return ns < 0n ? new Date(Number(ns / 1_000_000n)) : (Number(ns / 1000n) + 0.3) / 1e6;
}
