// A bucket of requests for each token: it fills at a steady rate and holds one second's worth, at least one.

export interface RateLimit {
  /** Undefined when the request may pass, else the seconds after which to come again. */
  take(name: string): number | undefined;
}

/** `monotonic` in milliseconds. Names are those of tokens, so there are as many buckets as tokens. */
export function createRateLimit(requestsPerSecond: number, monotonic: () => number): RateLimit {
  const capacity = Math.max(1, requestsPerSecond);
  const buckets = new Map<string, {readonly left: number; readonly atMs: number}>();
  return {
    take(name) {
      const atMs = monotonic();
      const bucket = buckets.get(name) ?? {left: capacity, atMs};
      const left = Math.min(capacity, bucket.left + ((atMs - bucket.atMs) / 1_000) * requestsPerSecond);
      buckets.set(name, {left: left >= 1 ? left - 1 : left, atMs});
      return left >= 1 ? undefined : Math.ceil((1 - left) / requestsPerSecond);
    },
  };
}
