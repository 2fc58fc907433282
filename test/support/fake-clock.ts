// A clock that runs only when it is moved. Like a machine's, its wall time may jump back; its monotonic time may not.
import type {Clock} from '@lumenflow/kernel';

export interface FakeClock extends Clock {
  /** A negative number sets the wall clock back. */
  move(milliseconds: number): void;
}

export function createFakeClock(startMs: number = Date.UTC(2026, 0, 2, 3, 4, 5, 678)): FakeClock {
  let now = startMs;
  let passed = 0;
  return {
    now: () => now,
    timestamp: (offsetMs = 0) => new Date(now + offsetMs).toISOString(),
    monotonic: () => passed,
    move(milliseconds) {
      now += milliseconds;
      passed += Math.max(0, milliseconds);
    },
  };
}
