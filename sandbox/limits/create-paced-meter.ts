// A meter for a runner that serves many short calls: measuring reads all of /proc, which takes longer than such a call.
import type {Meter, Usage} from './meter.ts';

/** As often as a running call is measured. */
const intervalMs = 50;

/** Repeats its last measurement for 50 ms. `now`: milliseconds, monotonic. */
export function createPacedMeter(meter: Meter, now: () => number): Meter {
  let last: {readonly usage: Usage; readonly at: number} | undefined;
  return {
    read() {
      const at = now();
      if (last === undefined || at - last.at >= intervalMs) {
        const usage = meter.read();
        last = usage && {usage, at};
      }
      return last?.usage;
    },
    ranOutOfMemory: () => meter.ranOutOfMemory(),
  };
}
