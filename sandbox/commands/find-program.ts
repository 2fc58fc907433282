// Where a program of the system lies: looked for in the places a distribution installs to, never on a caller's PATH.
import {accessSync, constants} from 'node:fs';

const folders: readonly string[] = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Absolute path, undefined when the machine does not have it. */
export function findProgram(name: string): string | undefined {
  return folders
    .map((folder) => `${folder}/${name}`)
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        // Not there or not executable: the next place.
        return false;
      }
    });
}
