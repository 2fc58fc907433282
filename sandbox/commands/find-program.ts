// Finds a system program in the directories that distributions install to, never on a caller's PATH.
import {isExecutable} from './executable-at.ts';

const folders: readonly string[] = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Absolute path; undefined if the machine does not have the program. */
export function findProgram(name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable);
}
