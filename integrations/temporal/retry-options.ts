export interface RetryOptions {
  /** How many attempts in a row may fail before the run is parked; default 10. */
  readonly attemptsMax?: number;
  /** Before the second attempt; default 1,000. Each further delay is twice as long. */
  readonly firstMs?: number;
  /** The longest delay; default 60,000. */
  readonly mostMs?: number;
  /** After this time without a heartbeat, the attempt of a worker has failed; default 30,000. */
  readonly heartbeatMs?: number;
}

export const retryDefaults: Required<RetryOptions> = {
  attemptsMax: 10,
  firstMs: 1_000,
  mostMs: 60_000,
  heartbeatMs: 30_000,
};
