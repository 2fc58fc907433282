/**
 * A time as Node's `utimes` takes it, exact to a microsecond; whole seconds are exact. Before 1970 it is exact to a millisecond,
 * since Node takes negative numbers for now.
 */
export function fileTime(ns: bigint): number | Date {
  if (ns < 0n) return new Date(Number(ns / 1_000_000n));
  const microseconds = Number(ns / 1000n);
  const seconds = microseconds / 1e6;
  return losesOne(seconds, microseconds) ? (microseconds + 0.3) / 1e6 : seconds;
}

/** Some versions of Node cut at microseconds, others at nanoseconds, both after the rounding of a double. */
function losesOne(seconds: number, microseconds: number): boolean {
  return Math.trunc(seconds * 1e6) < microseconds || Math.trunc((seconds % 1) * 1e9) < (microseconds % 1e6) * 1000;
}
