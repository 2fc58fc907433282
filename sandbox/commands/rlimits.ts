// Resource limits as a prefix of the command line: util-linux's prlimit sets them and becomes the command.
// The memory limit is not among them: an address-space limit kills Node at start, which reserves far more than it uses.
import type {ResourceLimits} from '@lumenflow/schemas';
import {findProgram} from './find-program.ts';
import {countsProcessesOfSandbox, hardLimits, type HardLimits} from './hard-limits.ts';

/** Absolute path of prlimit, undefined when the machine has none. */
export function findPrlimit(): string | undefined {
  return findProgram('prlimit');
}

export interface LimitedCommand {
  readonly argv: readonly string[];
  /** Requested limits that this prefix does not set. */
  readonly unenforced: readonly (keyof ResourceLimits)[];
}

/** Prefixes a command so that it runs under the limits. */
export function limitCommand(
  argv: readonly string[],
  limits: ResourceLimits,
  prlimit: string | undefined,
): LimitedCommand {
  const unenforced: (keyof ResourceLimits)[] = limits.memory_bytes === undefined ? [] : ['memory_bytes'];
  const bounds = boundLimits(limits);
  for (const {limit, bound} of bounds) if (prlimit === undefined || bound === undefined) unenforced.push(limit);
  const flags = bounds.flatMap(({name, bound}) => (bound === undefined ? [] : [`--${name}=${bound}:${bound}`]));
  // Nothing to set: the command starts without a program in between.
  if (prlimit === undefined || flags.length === 0) return {argv, unenforced};
  // A process that its limit kills leaves no core dump in a writable folder.
  return {argv: [prlimit, '--core=0:0', ...flags, '--', ...argv], unenforced};
}

export interface BoundLimit {
  readonly limit: keyof ResourceLimits;
  /** As prlimit names it. */
  readonly name: keyof HardLimits;
  /** At most what the host itself may use; undefined if it would count processes outside of the sandbox. */
  readonly bound: number | undefined;
}

/** The limits that the kernel enforces for a process. */
export function boundLimits(limits: ResourceLimits): readonly BoundLimit[] {
  const hard = hardLimits();
  return rlimits(limits).flatMap(([limit, name, value]) => {
    if (value === undefined) return [];
    const isCounted = name !== 'nproc' || countsProcessesOfSandbox();
    return [{limit, name, bound: isCounted ? Math.min(value, hard[name] ?? value) : undefined}];
  });
}

function rlimits(limits: ResourceLimits): readonly [keyof ResourceLimits, keyof HardLimits, number | undefined][] {
  // Per process, and a second late: the watch on the sum of all processes acts first and can report the limit.
  const cpuSeconds = limits.cpu_time_ms === undefined ? undefined : Math.ceil(limits.cpu_time_ms / 1000) + 1;
  return [
    ['cpu_time_ms', 'cpu', cpuSeconds],
    ['processes', 'nproc', limits.processes],
    ['open_files', 'nofile', limits.open_files],
    ['file_size_bytes', 'fsize', limits.file_size_bytes],
  ];
}
