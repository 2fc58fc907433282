// The last look before a start: between compiling a profile and using it a tool of another call may have
// put a symlink where a directory was. It also keeps bwrap from making a mount point that is missing.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {HostFiles} from '../profile/host-files.ts';

/** What has changed, undefined when all is as the profile says. */
export function recheckMounts(profile: SandboxProfile, files: HostFiles): string | undefined {
  for (const {source} of [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts]) {
    const real = files.realPath(source);
    if (real === undefined) return `\`${source}\` is gone`;
    if (real !== source) return `\`${source}\` has come to lead to \`${real}\``;
  }
  for (const {path, kind} of profile.deny_overlays) {
    if (files.realPath(path) !== path) return `\`${path}\`, which is to be hidden, is gone or has become a symlink`;
    if ((files.kindOf(path) === 'directory') !== (kind === 'directory')) return `\`${path}\` is no ${kind} any more`;
  }
  return undefined;
}
