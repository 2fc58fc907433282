// What of a profile a bubblewrap sandbox does not hold in full on this machine, in words for the receipt.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {HostSystem} from './host-system.ts';

export interface DegradedInput {
  readonly profile: SandboxProfile;
  /** Limits that the launch could not set. */
  readonly unenforced: readonly string[];
  readonly host: Pick<HostSystem, 'uid' | 'bashPath' | 'inheritedFds' | 'bindsFds'>;
}

export function degradedItems({profile, unenforced, host}: DegradedInput): readonly string[] {
  const items = unenforced.map((limit) =>
    limit === 'memory_bytes'
      ? 'memory_bytes: held by the heap limit of Node alone'
      : `${limit}: not held, prlimit is not installed`,
  );
  if (profile.limits.cpu_time_ms !== undefined) items.push('cpu_time_ms: counted for each process, in whole seconds');
  if (profile.limits.processes !== undefined && host.uid === 0)
    items.push('processes: not held, root is not bound by it');
  if (profile.network_posture === 'full')
    items.push('network full: loopback and link-local addresses of the host are within reach');
  if (!host.bindsFds)
    items.push(
      'mounts: looked at just before the start, since this bubblewrap cannot mount what is open (no --bind-fd)',
    );
  if (host.inheritedFds.length > 0 && host.bashPath === undefined) {
    items.push(
      `descriptors ${host.inheritedFds.join(', ')}: left open by the host's own parent, and bash is not there to close them`,
    );
  }
  return items;
}
