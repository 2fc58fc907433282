// The machine's clocks.
import type {Clock} from '@lumenflow/kernel';

export function createSystemClock(): Clock {
  // Many records of a busy workspace are of one millisecond, and to spell it costs more than to compare it.
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
