// The parts of a profile that sandbox-exec does not enforce in full, in words for the receipt.
import type {SandboxProfile} from '@lumenflow/schemas';

const always: readonly string[] = [
  'processes: a process that leaves its group outlives the call, but stays sandboxed',
  "processes: arguments and environment of the user's other processes are readable",
];

export function degradedItems({limits, network_posture}: SandboxProfile): readonly string[] {
  const items = [...always];
  if (limits.memory_bytes !== undefined) items.push('memory_bytes: enforced only by the heap limit of Node');
  if (limits.tmp_bytes !== undefined) items.push('tmp_bytes: not enforced');
  if (limits.tmp_files !== undefined) items.push('tmp_files: not enforced');
  if (limits.cpu_time_ms !== undefined) items.push('cpu_time_ms: counted per process, in whole seconds');
  if (limits.file_size_bytes !== undefined) items.push('file_size_bytes: rounded to whole KiB');
  if (limits.processes !== undefined) items.push("processes: the user's other processes also count");
  if (network_posture === 'allowlist')
    items.push('network allowlist: only programs that use the proxy named in their environment can connect');
  if (network_posture === 'full') items.push('network full: link-local and metadata addresses are reachable');
  return items;
}
