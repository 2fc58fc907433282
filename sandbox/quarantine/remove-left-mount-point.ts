// A call that runs beside others can find a mount point that another call's sandbox has left for a moment. No call made it or can
// have written to it: it is removed, and no call is blamed.
import {lstatSync, unlinkSync} from 'node:fs';
import {dirname} from 'node:path';
import {isMountPoint} from '../files/is-mount-point.ts';
import {inForcedDirectory} from './open-by-force.ts';

/** `path` is relative to the root. Whether it was one, and is gone. */
export function removeLeftMountPoint(root: string, path: string): boolean {
  const parent = dirname(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return inForcedDirectory(root, parent === '.' ? [] : parent.split('/'), (directory) => {
      const stats = lstatSync(directory.at(name));
      if (!stats.isFile() || !isMountPoint({size: stats.size, mode: stats.mode, links: stats.nlink})) return false;
      unlinkSync(directory.at(name));
      return true;
    });
  } catch (error) {
    // Another process removed it first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    return false;
  }
}
