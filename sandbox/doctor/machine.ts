// What the doctor inspects of a machine beside its backends.
import {readFileSync} from 'node:fs';
import {findProgram} from '../commands/find-program.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** The text of a kernel file; undefined if the kernel does not have it. */
  read(path: string): string | undefined;
  /** Absolute path of a program. */
  find(name: string): string | undefined;
}

export function thisMachine(): Machine {
  return {platform: process.platform, isRoot: process.getuid?.() === 0, read: readText, find: findProgram};
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // The kernel does not have this switch.
    return undefined;
  }
}
