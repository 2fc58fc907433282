// The processor time of a thread of this process, as the kernel counts it.
import {readFileSync} from 'node:fs';

/** Of the kernel's clock for processor time. */
const tickMs = 10;

/** Undefined where the kernel does not say, and for a thread that has ended. */
export function threadCpuMs(threadId: number): number | undefined {
  if (threadId === 0) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1');
    // After the name, which may contain anything: state is field 3, user and system time are 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}
