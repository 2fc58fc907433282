// Durations by bucket, for Prometheus and for the bound of a quantile.

export interface LatencyHistogram {
  /** Number of calls up to each bound of `latencyBoundsMs`, not cumulative, and one entry for calls beyond the last bound. */
  readonly counts: readonly number[];
  readonly sumMs: number;
  readonly count: number;
}

export const latencyBoundsMs: readonly number[] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000];

export const noLatencies: LatencyHistogram = {counts: [...latencyBoundsMs, 0].map(() => 0), sumMs: 0, count: 0};

export function withLatency({counts, sumMs, count}: LatencyHistogram, durationMs: number): LatencyHistogram {
  const found = latencyBoundsMs.findIndex((bound) => durationMs <= bound);
  const bucket = found === -1 ? latencyBoundsMs.length : found;
  return {
    counts: counts.map((inBucket, index) => (index === bucket ? inBucket + 1 : inBucket)),
    sumMs: sumMs + durationMs,
    count: count + 1,
  };
}

export function sumOfLatencies(one: LatencyHistogram, other: LatencyHistogram): LatencyHistogram {
  return {
    counts: one.counts.map((inBucket, index) => inBucket + (other.counts[index] ?? 0)),
    sumMs: one.sumMs + other.sumMs,
    count: one.count + other.count,
  };
}

/** The bound in milliseconds that this share of the calls does not exceed; undefined without calls or beyond the last bound. */
export function quantileBoundMs({counts, count}: LatencyHistogram, share: number): number | undefined {
  if (count === 0) return undefined;
  let seen = 0;
  const bucket = counts.findIndex((inBucket) => (seen += inBucket) >= share * count);
  return latencyBoundsMs[bucket];
}
