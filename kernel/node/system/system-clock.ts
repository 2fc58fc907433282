// The machine's clocks.
import type {Clock} from '@lumenflow/kernel';

export function createSystemClock(): Clock {
  // Many records of a busy workspace have the same millisecond, and formatting it costs more than comparing it.
  let encodedMs = 0;
  let text = new Date(encodedMs).toISOString();
  return {
    now: () => Date.now(),
    timestamp(offsetMs = 0) {
      const time = Date.now() + offsetMs;
      if (time !== encodedMs) [encodedMs, text] = [time, new Date(time).toISOString()];
      return text;
    },
    monotonic: () => performance.now(),
  };
}
