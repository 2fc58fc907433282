// The parts of a profile that a bubblewrap sandbox cannot enforce in full on this machine, in words for the receipt.
import type {HostSystem} from './host-system.ts';

export interface DegradedInput {
  /** Limits that the launch could not set. */
  readonly unenforced: readonly string[];
  readonly host: Pick<HostSystem, 'bashPath' | 'inheritedFds' | 'bindsFds'>;
}

/** Of those that are watched while a call runs. */
const unenforcedTexts: Readonly<Record<string, string>> = {
  memory_bytes: 'memory_bytes: best effort, measured every 50 ms because the host cannot create control groups',
  processes: 'processes: best effort, counted every 50 ms because the host cannot create control groups',
};

export function degradedItems({unenforced, host}: DegradedInput): readonly string[] {
  const items = unenforced.map(
    (limit) => unenforcedTexts[limit] ?? `${limit}: not enforced because prlimit is not installed`,
  );
  if (!host.bindsFds)
    items.push('mounts: checked only before the start because this bubblewrap does not support --bind-fd');
  if (host.inheritedFds.length > 0 && host.bashPath === undefined) {
    items.push(
      `descriptors ${host.inheritedFds.join(', ')}: left open by the parent process of the host; bash, which would close them, is not installed`,
    );
  }
  return items;
}
