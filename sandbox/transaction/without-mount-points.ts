// In a view, too, bubblewrap makes an empty file where one that is to be hidden or sealed went away in the moment before. It lies
// in the upper layer like what the call wrote, and below a mount: the call has neither made it nor reached it.
import type {SandboxProfile} from '@lumenflow/schemas';
import {isMountPoint} from '../files/is-mount-point.ts';
import {mountedFiles} from '../profile/mounted-files.ts';
import type {Change} from './change.ts';

/** `profile`: of the sandbox that the view was opened for. */
export function withoutMountPoints(
  changes: readonly Change[],
  {root, profile}: {readonly root: string; readonly profile: SandboxProfile | undefined},
): readonly Change[] {
  if (profile === undefined) return changes;
  const mounted = new Set(mountedFiles(profile));
  return changes.filter(({path, kind, after}) => {
    const isMade = kind === 'created' && after?.kind === 'file' && mounted.has(`${root}/${path}`);
    return !isMade || !isMountPoint(after);
  });
}
