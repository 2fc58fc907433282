// Stops calls to a server that is down: after several failures in a row, one call in ten seconds tries whether it is back.

export interface Circuit {
  /** Milliseconds until the server may be called; 0 if it may. A call that is allowed after a pause must report its result. */
  waitMs(): number;
  succeed(): void;
  fail(): void;
}

const failuresMax = 5;
const pauseMs = 10_000;

export function createCircuit(now: () => number): Circuit {
  let failures = 0;
  let closedUntil = 0;
  return {
    waitMs() {
      if (failures < failuresMax) return 0;
      const wait = closedUntil - now();
      if (wait > 0) return wait;
      // The next one waits for the result of this trial.
      closedUntil = now() + pauseMs;
      return 0;
    },
    succeed() {
      failures = 0;
    },
    fail() {
      failures += 1;
      closedUntil = now() + pauseMs;
    },
  };
}
