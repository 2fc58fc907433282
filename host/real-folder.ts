import {realpathSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

/** Resolves symlinks in the existing part of the path. Absolute. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code));
    // A folder that cannot be entered cannot be resolved further.
    if (!isMissing || dirname(path) === path) return path;
    return join(realFolder(dirname(path)), basename(path));
  }
}
