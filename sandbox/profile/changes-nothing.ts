// Whether a handler with this profile can neither change nor reveal anything outside.
import type {SandboxProfile} from '@lumenflow/schemas';

export function changesNothing(profile: SandboxProfile): boolean {
  return writesNothing(profile) && profile.network_posture === 'off';
}

/** Whether a handler with this profile can change nothing as long as its network is closed. */
export function writesNothing({writable_bind_mounts}: SandboxProfile): boolean {
  return writable_bind_mounts.length === 0;
}
