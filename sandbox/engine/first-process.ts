// The first process of a container, as the engine numbers it. With it, the kernel ends all others inside.
import {readFileSync} from 'node:fs';

export interface FirstProcess {
  readonly pid: number;
  /** Quicker than the engine, and possible after its end. False if it was not done. */
  kill(): boolean;
}

export interface ProcessMark {
  readonly pid: number;
  /** The file of the process, in `/proc`, that contains the mark. */
  readonly file: 'cmdline' | 'cgroup';
  /** Of this container alone. */
  readonly mark: string;
}

/** Undefined if it is not of this machine: an engine elsewhere, or in another namespace, counts processes differently. */
export function firstProcess(process: ProcessMark): FirstProcess | undefined {
  return isMarked(process)
    ? {
        pid: process.pid,
        kill: () => isMarked(process) && isKilled(process.pid),
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
