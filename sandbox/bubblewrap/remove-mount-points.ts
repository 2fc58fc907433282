// Removes the mount points that bubblewrap makes if a file to hide or seal disappeared just before. They would block a program
// that creates the file again.
import {lstatSync, unlinkSync, type Stats} from 'node:fs';
import type {SandboxProfile} from '@lumenflow/schemas';
import {isMountPoint} from '../files/is-mount-point.ts';
import {mountedFiles} from '../profile/mounted-files.ts';
import {pathBytes} from '../profile/path-bytes.ts';

/** The clock of the file system lags by at most this much. */
const clockLagMs = 20;

/** `startedAt`: before bubblewrap was started, in milliseconds since the epoch. */
export function removeMountPoints(profile: SandboxProfile, startedAt: number): void {
  for (const path of mountedFiles(profile)) {
    if (isLeft(path, startedAt - clockLagMs)) remove(path);
  }
}

function isLeft(path: string, since: number): boolean {
  const stats = look(path);
  if (stats?.isFile() !== true || stats.birthtimeMs < since) return false;
  return isMountPoint({size: stats.size, mode: stats.mode, links: stats.nlink});
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(pathBytes(path), {throwIfNoEntry: false});
  } catch {
    // A directory on the way has become a file, or is not accessible: it contains no mount point of ours.
    return undefined;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(pathBytes(path));
  } catch {
    // It is gone, or we may no longer change its folder.
  }
}
