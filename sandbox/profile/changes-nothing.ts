// Whether a profile leaves a handler nothing outside that it could change or tell.
import type {SandboxProfile} from '@lumenflow/schemas';

export function changesNothing({writable_bind_mounts, network_posture}: SandboxProfile): boolean {
  return writable_bind_mounts.length === 0 && network_posture === 'off';
}
