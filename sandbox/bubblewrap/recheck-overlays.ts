// The last look before a start at what is to be hidden: between compiling a profile and using it a tool of another
// call may have moved it. It also keeps bwrap from making a mount point that is missing.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {HostFiles} from '../profile/host-files.ts';

/** What has changed, undefined when all is as the profile says. */
export function recheckOverlays({deny_overlays}: SandboxProfile, files: HostFiles): string | undefined {
  for (const {path, kind} of deny_overlays) {
    if (files.realPath(path) !== path) return `\`${path}\`, which is to be hidden, is gone or has become a symlink`;
    if ((files.kindOf(path) === 'directory') !== (kind === 'directory')) return `\`${path}\` is no ${kind} any more`;
  }
  return undefined;
}
