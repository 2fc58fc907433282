import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {ResourceLimits} from '@lumenflow/schemas';
import type {Meter, Usage} from './meter.ts';
import {watchUsage, type UsageWatch} from './watch-usage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const idle: Usage = {memoryBytes: 1000, peakMemoryBytes: 2000, cpuMs: 40, processes: 1, tmpFiles: 5};

interface Watched {
  readonly watch: UsageWatch;
  /** What there is from now on; undefined when all has ended. */
  become(usage: Partial<Usage> | undefined, outOfMemory?: boolean): void;
  readonly kill: ReturnType<typeof vi.fn>;
}

function watched(limits: ResourceLimits): Watched {
  let now: Usage | undefined = idle;
  let isOut = false;
  const meter: Meter = {read: () => now, ranOutOfMemory: () => isOut};
  const kill = vi.fn();
  return {
    watch: watchUsage({meter, limits, kill, earlierCpuMs: idle.cpuMs}),
    kill,
    become(usage, outOfMemory = false) {
      now = usage && {...idle, ...usage};
      isOut = outOfMemory;
      vi.advanceTimersByTime(100);
    },
  };
}

test.each([
  ['memory_bytes', {memory_bytes: 5000}, {memoryBytes: 5001}, 5000],
  ['processes', {processes: 3}, {processes: 4}, 3],
  ['cpu_time_ms', {cpu_time_ms: 100}, {cpuMs: 141}, 100],
  ['memory_bytes', {}, {memoryBytes: 9 * 1024 ** 3}, 8 * 1024 ** 3],
  ['processes', {}, {processes: 5000}, 4096],
  ['tmp_files', {tmp_files: 20}, {tmpFiles: 21}, 20],
  ['tmp_files', {}, {tmpFiles: 65_537}, 65_536],
] as const)('more than %s ends it', (limit, limits, usage, bound) => {
  const {watch, become, kill} = watched(limits);
  become({});
  expect(kill).not.toHaveBeenCalled();
  become(usage);
  expect(kill).toHaveBeenCalled();
  expect(watch.stop().excess).toEqual({limit, bound});
});

test('usage equal to the bound is allowed', () => {
  const {watch, become} = watched({memory_bytes: 5000, processes: 3, cpu_time_ms: 100});
  become({memoryBytes: 5000, processes: 3, cpuMs: 140});
  expect(watch.stop().excess).toBeUndefined();
});

test('an out-of-memory kill is reported, during the call or at its end', () => {
  const during = watched({memory_bytes: 5000});
  during.become({}, true);
  expect(during.kill).toHaveBeenCalled();
  const after = watched({memory_bytes: 5000});
  after.become(undefined, true);
  expect(after.watch.stop()).toEqual({usage: undefined, excess: {limit: 'memory_bytes', bound: 5000}});
});

test('CPU time is counted from the beginning of the call, and never decreases', () => {
  const {watch, become} = watched({});
  become({cpuMs: 240});
  become({cpuMs: 10});
  become(undefined);
  expect(watch.stop().usage?.cpuMs).toBe(200);
});

test('it measures nothing once stopped', () => {
  const {watch, become, kill} = watched({memory_bytes: 5000});
  const report = watch.stop();
  become({memoryBytes: 6000});
  expect(kill).not.toHaveBeenCalled();
  expect(watch.stop()).toBe(report);
});
