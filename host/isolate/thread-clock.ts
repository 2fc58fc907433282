// How long a thread has worked. Untrusted code is held to that and not to the wall clock, by which a busy machine would
// have every pack be slow.
import {openSync, readFileSync, readlinkSync, readSync} from 'node:fs';

/** However little a thread gets to work, nothing is waited for longer than this many times what it is allowed. */
export const patience = 40;

export interface ThreadClock {
  /** For `workedMs` in other threads of this process; undefined where the system does not tell. */
  readonly file: string | undefined;
  /** Milliseconds from an arbitrary point that this thread was at work; by the wall clock where the system does not tell. */
  now(): number;
}

/** Of this thread. */
export function openThreadClock(): ThreadClock {
  try {
    const file = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`;
    // Open, since it is read before each question. A worker closes what it opened when it ends.
    const fd = openSync(file, 'r');
    const buffer = Buffer.alloc(64);
    return {file, now: () => millisecondsIn(buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0)))};
  } catch {
    // No Linux, or one that tells nobody.
    return {file: undefined, now: () => performance.now()};
  }
}

/** How long the thread of a clock was at work; Infinity of one that has ended. */
export function workedMs(file: string | undefined): number {
  if (file === undefined) return performance.now();
  try {
    return millisecondsIn(readFileSync(file, 'latin1'));
  } catch {
    return Infinity;
  }
}

/** To be asked each time `allowedMs` have passed, from now on: whether a thread has worked for as long, or was waited for too often. */
export function overdue(worked: () => number, allowedMs: number): () => boolean {
  const startedMs = worked();
  let asked = 0;
  return () => worked() >= startedMs + allowedMs || (asked += 1) > patience;
}

/** The first of its numbers: nanoseconds on a processor. */
function millisecondsIn(schedstat: string): number {
  return Number.parseInt(schedstat, 10) / 1e6;
}
