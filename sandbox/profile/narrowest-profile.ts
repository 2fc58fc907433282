// The narrowest profile that a program can be started under, for trials.
import type {SandboxProfile} from '@lumenflow/schemas';

/** `runtimePaths`: what the program itself needs, read-only. */
export function narrowestProfile(runtimePaths: readonly string[] = []): SandboxProfile {
  return {
    readonly_bind_mounts: runtimePaths.map((path) => ({source: path, target: path})),
    writable_bind_mounts: [],
    network_posture: 'off',
    network_allowlist: [],
    deny_overlays: [],
    env: {PATH: '/usr/bin:/bin'},
    limits: {},
    syscalls: 'standard',
  };
}
