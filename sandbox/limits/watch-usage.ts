// Measures what a call uses while it runs, and ends it when it exceeds a limit that the kernel does not enforce. A short call is
// measured only once, at its end.
import type {ResourceLimits} from '@lumenflow/schemas';
import type {Meter, Usage} from './meter.ts';

/** Those that are watched. */
export type WatchedLimit = 'memory_bytes' | 'cpu_time_ms' | 'processes' | 'tmp_files';

export interface Excess {
  readonly limit: WatchedLimit;
  readonly bound: number;
}

export interface UsageReport {
  /** Undefined if it could not be measured, or ended before it was. */
  readonly usage: Usage | undefined;
  readonly excess: Excess | undefined;
}

export interface UsageWatch {
  /** Measures a last time. Later calls return the same. */
  stop(): UsageReport;
  /** Ends the watch without a measurement, which takes milliseconds on a machine with many processes. */
  release(): void;
}

export interface UsageWatchInput {
  readonly meter: Meter;
  readonly limits: ResourceLimits;
  /** Usage before the call; default nothing. */
  readonly earlierCpuMs?: number | undefined;
  /** Between two measurements; default 50. */
  readonly intervalMs?: number;
  /** Ends everything that is measured. */
  readonly kill: () => void;
}

const intervalMsDefault = 50;

/** The most that a call may use, even if it declares more: a runaway handler must not exhaust the machine. */
const ceilings: Readonly<Record<Exclude<WatchedLimit, 'cpu_time_ms'>, number>> = {
  memory_bytes: 8 * 1024 ** 3,
  processes: 4096,
  tmp_files: 65_536,
};

export function watchUsage(input: UsageWatchInput): UsageWatch {
  const {meter, limits, kill, earlierCpuMs: earlier = 0, intervalMs = intervalMsDefault} = input;
  let usage: Usage | undefined;
  let excess: Excess | undefined;
  let report: UsageReport | undefined;
  const look = (): void => {
    const now = meter.read();
    // Of what is just ending less and less is left to be counted.
    if (now !== undefined) usage = {...now, cpuMs: Math.max(now.cpuMs - earlier, usage?.cpuMs ?? 0)};
    excess ??= meter.ranOutOfMemory() ? memoryExcess(limits) : now && usage && excessOf(usage, limits);
  };
  const timer = setInterval(() => {
    look();
    if (excess !== undefined) kill();
  }, intervalMs);
  timer.unref();
  return {
    release: () => clearInterval(timer),
    stop() {
      clearInterval(timer);
      if (report === undefined) {
        look();
        report = {usage, excess};
      }
      return report;
    },
  };
}

function excessOf(usage: Usage, limits: ResourceLimits): Excess | undefined {
  const memory = memoryExcess(limits);
  if (usage.memoryBytes > memory.bound) return memory;
  const processes = limits.processes ?? ceilings.processes;
  if (usage.processes > processes) return {limit: 'processes', bound: processes};
  const tmpFiles = limits.tmp_files ?? ceilings.tmp_files;
  if (usage.tmpFiles > tmpFiles) return {limit: 'tmp_files', bound: tmpFiles};
  const {cpu_time_ms} = limits;
  if (cpu_time_ms !== undefined && usage.cpuMs > cpu_time_ms) return {limit: 'cpu_time_ms', bound: cpu_time_ms};
  return undefined;
}

function memoryExcess({memory_bytes}: ResourceLimits): Excess {
  return {limit: 'memory_bytes', bound: memory_bytes ?? ceilings.memory_bytes};
}
