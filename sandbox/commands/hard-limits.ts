// The hard limits of the host itself. A higher limit cannot be set, and the command would not start.
import {readFileSync} from 'node:fs';
import {release} from 'node:os';

/** By prlimit's name for the limit; what is not named is unlimited. */
export type HardLimits = Readonly<Partial<Record<'cpu' | 'nproc' | 'nofile' | 'fsize', number>>>;

const rows: Readonly<Record<keyof HardLimits, string>> = {
  cpu: 'Max cpu time',
  nproc: 'Max processes',
  nofile: 'Max open files',
  fsize: 'Max file size',
};

export function hardLimits(text: string = ownLimits()): HardLimits {
  const found = (Object.keys(rows) as (keyof HardLimits)[]).flatMap((name) => {
    const hard = new RegExp(`^${rows[name]}\\s+\\S+\\s+(\\d+)`, 'm').exec(text)?.[1];
    return hard === undefined ? [] : [[name, Number(hard)] as const];
  });
  return Object.fromEntries(found);
}

/** Before Linux 5.14 the limit counts all processes of the user on the machine, so a busy desktop would meet it. */
export function countsProcessesOfSandbox(kernel: string = release()): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    // Not Linux.
    return '';
  }
}
