// Checks, after a call, the paths that no mount could protect during it.
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {HostFiles} from '../profile/host-files.ts';

/** Trusted paths that no mount could protect and that have changed since the call began. */
export function changedTrustedPaths(profile: CompiledProfile, files: HostFiles): readonly string[] {
  return profile.watched
    .filter(({path, link}) => (link === undefined ? files.kindOf(path) !== undefined : files.linkText(path) !== link))
    .map(({path, link}) => `trusted path ${link === undefined ? 'created' : 'changed'} during the call: ${path}`);
}
