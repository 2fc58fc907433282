import {realpathSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

/** The folder without symlinks on the way, as far as the way exists. Absolute. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code));
    // What cannot be entered cannot be resolved further either.
    if (!isMissing || dirname(path) === path) return path;
    return join(realFolder(dirname(path)), basename(path));
  }
}
