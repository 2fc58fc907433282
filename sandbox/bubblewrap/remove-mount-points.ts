// Takes away what bubblewrap makes where a file that is to be hidden went away in the moment before it was hidden: an
// empty file of the user's tree that nobody may write, in the way of whoever makes the real one anew.
import {lstatSync, unlinkSync, type Stats} from 'node:fs';
import type {SandboxProfile} from '@lumenflow/schemas';

/** As bubblewrap makes them. */
const mountPointMode = 0o444;
/** The clock of files is that much behind, at most. */
const clockLagMs = 20;

/** `startedAt`: before bubblewrap was started, in milliseconds since the epoch. */
export function removeMountPoints({deny_overlays}: SandboxProfile, startedAt: number): void {
  for (const {path, kind} of deny_overlays) {
    if (kind === 'file' && isMountPoint(path, startedAt - clockLagMs)) remove(path);
  }
}

function isMountPoint(path: string, since: number): boolean {
  const stats = look(path);
  if (stats === undefined || !stats.isFile() || stats.size > 0) return false;
  return (stats.mode & 0o777) === mountPointMode && stats.birthtimeMs >= since;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, {throwIfNoEntry: false});
  } catch {
    // A directory on the way has become a file, or is out of reach: nothing of ours is there.
    return undefined;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone meanwhile, or its folder is not ours to change any more.
  }
}
