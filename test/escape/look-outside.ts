// Looks at what an attack left, from outside of its call.
import {readdirSync, readFileSync} from 'node:fs';

/** Undefined when there is no such file, or none that can be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

export function isAlive(pid: number): boolean {
  const state = readText(`/proc/${pid}/stat`)?.replace(/^.*\) /s, '')[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Processes, but for this one, whose command line shows the marker. */
export function leftoversOf(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid) && readText(`/proc/${pid}/cmdline`)?.includes(marker));
}

/** Mount points below a folder. */
export function mountsBelow(folder: string): readonly string[] {
  return (readText('/proc/self/mountinfo') ?? '')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));
}
