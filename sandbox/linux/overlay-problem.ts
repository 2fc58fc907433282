// The last check of the hidden paths before a start: a tool of another call may have moved them after the profile was compiled.
// It also prevents bwrap from making a missing mount point.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {HostFiles} from '../profile/host-files.ts';

/** Describes what has changed; undefined if everything matches the profile. */
export function overlayProblem({deny_overlays}: SandboxProfile, files: HostFiles): string | undefined {
  for (const {path, kind} of deny_overlays) {
    if (files.realPath(path) !== path) return `the hidden path \`${path}\` no longer exists or now contains a symlink`;
    if ((files.kindOf(path) === 'directory') !== (kind === 'directory')) return `\`${path}\` is no longer a ${kind}`;
  }
  return undefined;
}
