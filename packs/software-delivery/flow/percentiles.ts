// Percentiles by nearest rank: each is a value that occurred.
export interface Percentiles {
  readonly count: number;
  /** Null if there are no values. */
  readonly p50: number | null;
  readonly p85: number | null;
  readonly p95: number | null;
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (percent: number): number | null => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? null;
  return {count: sorted.length, p50: at(50), p85: at(85), p95: at(95)};
}

/** A ratio, to four decimals; null if the whole is zero. */
export function ratioOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** To two decimals. */
export function hoursOf(ms: number): number {
  return Math.round(ms / 36_000) / 100;
}
