// A program that is named by its path.
import {accessSync, constants, realpathSync, statSync} from 'node:fs';

/** Without symlinks; undefined if it is not an executable file. */
export function executableAt(path: string): string | undefined {
  return isExecutable(path) ? realpathSync(path) : undefined;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // A directory that can be entered passes that check too.
    return statSync(path).isFile();
  } catch {
    // It does not exist, or this user may not run it: either way it is not a program.
    return false;
  }
}
