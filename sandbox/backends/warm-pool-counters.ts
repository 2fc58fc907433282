// What a pool of spares reports as metrics.
export interface WarmPoolCounters {
  /** Ready now. */
  readonly spares: number;
  /** Being started now. */
  readonly starting: number;
  /** Memory that the ready ones use. */
  readonly spareMemoryBytes: number;
  /** Calls that were served by a spare. */
  readonly hits: number;
  /** Calls that a spare could have served if one had been ready. */
  readonly misses: number;
  /** Spares that were started. */
  readonly refills: number;
  /** Spares that ended unused: stale, idle, or evicted. */
  readonly discarded: number;
}
