// Resource limits as a prefix of the command line: macOS has no prlimit, so a shell sets them and becomes the command.
// It runs inside the sandbox already: no variable of the call makes it do anything outside.
import type {ResourceLimits} from '@lumenflow/schemas';

/** On every Mac; the units below are this shell's. */
const shell = '/bin/bash';

export function ulimitCommand(argv: readonly string[], limits: ResourceLimits): readonly string[] {
  const flags: readonly (readonly [string, number | undefined])[] = [
    ['t', limits.cpu_time_ms === undefined ? undefined : Math.ceil(limits.cpu_time_ms / 1000)],
    ['u', limits.processes],
    ['n', limits.open_files],
    ['f', limits.file_size_bytes === undefined ? undefined : Math.ceil(limits.file_size_bytes / 1024)],
  ];
  const set = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`ulimit -${flag} ${value}`]));
  if (set.length === 0) return argv;
  // A process that its limit kills leaves no core dump in a writable folder.
  return [shell, '-c', [...set, 'ulimit -c 0', 'exec "$@"'].join(' && '), 'bash', ...argv];
}
