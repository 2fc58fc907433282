// The first process of a container, as the engine numbers it. With it, the kernel ends all others inside.
import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

export interface FirstProcess {
  readonly pid: number;
  /** Quicker than the engine, and possible after its end. False if it was not done. */
  kill(): boolean;
  /** Resolves soon after it has ended, at the latest when the signal aborts. Keeps nothing alive. */
  whenEnded(signal: AbortSignal): Promise<void>;
}

export interface ProcessMark {
  readonly pid: number;
  /** The file of the process, in `/proc`, that contains the mark. */
  readonly file: 'cmdline' | 'cgroup';
  /** Of this container alone. */
  readonly mark: string;
}

const lookMs = 20;
/** An engine reports a start while the process is still that of its runtime, which then executes the program. */
const startMs = 10_000;

/** Undefined if it has ended or is not of this machine: an engine elsewhere, or in another namespace, counts processes differently. */
export async function firstProcess(process: ProcessMark): Promise<FirstProcess | undefined> {
  const until = performance.now() + startMs;
  while (!isMarked(process) && existsSync(`/proc/${process.pid}`) && performance.now() < until) await delay(lookMs);
  return isMarked(process)
    ? {
        pid: process.pid,
        kill: () => isMarked(process) && isKilled(process.pid),
        async whenEnded(signal) {
          while (!signal.aborted && isMarked(process)) await delay(lookMs, undefined, {ref: false});
        },
      }
    : undefined;
}

/** Asked each time: an id can be used again. */
function isMarked({pid, file, mark}: ProcessMark): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(mark);
  } catch {
    // It has ended, or is not of this machine.
    return false;
  }
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended, or is not ours to kill.
    return false;
  }
}
