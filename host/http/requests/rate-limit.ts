// A token bucket per API token: it fills at a steady rate and contains at most one second's requests, at least one.

export interface RateLimit {
  /** Undefined if the request is allowed, else the seconds to wait before a retry. */
  take(name: string): number | undefined;
}

/** `monotonic` in milliseconds. Names belong to tokens, so there are as many buckets as tokens. */
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
