// Finds a system program in the directories that distributions install to, never on a caller's PATH.
import {accessSync, constants} from 'node:fs';

const folders: readonly string[] = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Absolute path; undefined if the machine does not have the program. */
export function findProgram(name: string): string | undefined {
  return folders
    .map((folder) => `${folder}/${name}`)
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        // Not there or not executable: try the next directory.
        return false;
      }
    });
}
