// The profile of a program in a guest: its files are mounted from the folder where the agent keeps them.
import type {SandboxProfile} from '@lumenflow/schemas';

/** `provides`: whether the guest has a path itself. */
export function guestProfile(
  profile: SandboxProfile,
  {filesFolder, provides}: {readonly filesFolder: string; provides(path: string): boolean},
): SandboxProfile {
  const placed = (mounts: SandboxProfile['readonly_bind_mounts']): SandboxProfile['readonly_bind_mounts'] =>
    mounts.map(({target}) => ({source: provides(target) ? target : `${filesFolder}${target}`, target}));
  return {
    ...profile,
    readonly_bind_mounts: placed(profile.readonly_bind_mounts),
    writable_bind_mounts: placed(profile.writable_bind_mounts),
  };
}
