// The last check of the hidden paths before a start: a tool of another call may have moved them after the profile was compiled.
// It also prevents bwrap from making a missing mount point.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {HostFiles} from '../profile/host-files.ts';
import {isWithin} from '../profile/host-paths.ts';

type OverlaidMounts = Pick<SandboxProfile, 'deny_overlays' | 'readonly_bind_mounts' | 'writable_bind_mounts'>;

/** Describes what has changed; undefined if everything matches the profile. */
export function overlayProblem(profile: OverlaidMounts, files: HostFiles): string | undefined {
  for (const {path, kind} of profile.deny_overlays) {
    const at = placeOf(path, profile);
    if (files.realPath(at) !== at) return `the hidden path \`${path}\` no longer exists or now contains a symlink`;
    if ((files.kindOf(at) === 'directory') !== (kind === 'directory')) return `\`${path}\` is no longer a ${kind}`;
  }
  return undefined;
}

/** Where its mount is from: on a worker, the files of a call are elsewhere than on their host. */
function placeOf(path: string, {readonly_bind_mounts, writable_bind_mounts}: OverlaidMounts): string {
  const mounts = [...readonly_bind_mounts, ...writable_bind_mounts].filter(({target}) => isWithin(path, target));
  const [innermost] = mounts.toSorted((a, b) => b.target.length - a.target.length);
  return innermost === undefined ? path : `${innermost.source}${path.slice(innermost.target.length)}`;
}
