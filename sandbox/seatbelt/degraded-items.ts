// The parts of a profile that sandbox-exec does not enforce in full, in words for the receipt.
import type {SandboxProfile} from '@lumenflow/schemas';

const always: readonly string[] = [
  'processes: one that leaves its group outlives the call, inside its sandbox',
  "processes: arguments and environment of the user's other processes can be read",
];

export function degradedItems({limits, network_posture}: SandboxProfile): readonly string[] {
  const items = [...always];
  if (limits.memory_bytes !== undefined) items.push('memory_bytes: held by the heap limit of Node alone');
  if (limits.tmp_bytes !== undefined) items.push('tmp_bytes: not held');
  if (limits.tmp_files !== undefined) items.push('tmp_files: not held');
  if (limits.cpu_time_ms !== undefined) items.push('cpu_time_ms: counted for each process, in whole seconds');
  if (limits.file_size_bytes !== undefined) items.push('file_size_bytes: in whole KiB');
  if (limits.processes !== undefined) items.push("processes: the user's others count, too");
  if (network_posture === 'allowlist')
    items.push('network allowlist: only programs that use the proxy named in their environment can connect');
  if (network_posture === 'full') items.push('network full: link-local and metadata addresses are within reach');
  return items;
}
