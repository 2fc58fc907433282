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
      ? 'memory_bytes: best effort, measured every 50 ms; it can be passed in between'
      : `${limit}: not held, prlimit is not installed`,
  );
  if (profile.limits.processes !== undefined && host.uid === 0)
    items.push('processes: best effort, counted every 50 ms, since the kernel does not bind root by it');
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
