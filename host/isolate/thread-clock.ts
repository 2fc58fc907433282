// Measures the CPU time of a thread. Time limits of untrusted code use it instead of the wall clock, by which every pack would
// be slow on a busy machine.
import {openSync, readFileSync, readlinkSync, readSync} from 'node:fs';

/** Upper bound of a wait as a multiple of the allowed time, however little CPU time the thread gets. */
export const patience = 40;

export interface ThreadClock {
  /** For `workedMs` in other threads of this process; undefined where the system does not report CPU time. */
  readonly file: string | undefined;
  /** This thread's CPU time in milliseconds from an arbitrary start; wall clock time where the system does not report it. */
  now(): number;
}

/** The clock of this thread. */
export function openThreadClock(): ThreadClock {
  try {
    const file = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`;
    // Kept open, because it is read before each question. A worker closes its files when it ends.
    const fd = openSync(file, 'r');
    const buffer = Buffer.alloc(64);
    return {file, now: () => millisecondsIn(buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0)))};
  } catch {
    // Not Linux, or a system without these statistics.
    return {file: undefined, now: () => performance.now()};
  }
}

/** CPU time of a clock's thread; Infinity for a thread that has ended. */
export function workedMs(file: string | undefined): number {
  if (file === undefined) return performance.now();
  try {
    return millisecondsIn(readFileSync(file, 'latin1'));
  } catch {
    return Infinity;
  }
}

/**
 * Call each time `allowedMs` have passed, from now on. Returns whether the thread has worked for that long, or was waited for
 * too often.
 */
export function overdue(worked: () => number, allowedMs: number): () => boolean {
  const startedMs = worked();
  let asked = 0;
  return () => worked() >= startedMs + allowedMs || (asked += 1) > patience;
}

/** The first number: nanoseconds on the CPU. */
function millisecondsIn(schedstat: string): number {
  return Number.parseInt(schedstat, 10) / 1e6;
}
