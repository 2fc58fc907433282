// The machine's clocks.
import type {Clock} from '@lumenflow/kernel';

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    timestamp: (offsetMs = 0) => new Date(Date.now() + offsetMs).toISOString(),
    monotonic: () => performance.now(),
  };
}
