// The machine's clocks.
import type {Clock} from '@lumenflow/kernel';

export function createSystemClock(): Clock {
  // Many records of a busy workspace have the same millisecond, and formatting it costs more than comparing it.
  let spelt = 0;
  let spelling = new Date(spelt).toISOString();
  return {
    now: () => Date.now(),
    timestamp(offsetMs = 0) {
      const time = Date.now() + offsetMs;
      if (time !== spelt) [spelt, spelling] = [time, new Date(time).toISOString()];
      return spelling;
    },
    monotonic: () => performance.now(),
  };
}
