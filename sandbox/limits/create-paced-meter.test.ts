import {expect, test} from 'vitest';
import {createPacedMeter} from './create-paced-meter.ts';
import type {Usage} from './meter.ts';

const usage: Usage = {memoryBytes: 1, peakMemoryBytes: 1, cpuMs: 0, processes: 1, tmpFiles: 0};

test('measures again after 50 ms, and at once when nothing was left', () => {
  let now = 0;
  let cpuMs = 0;
  let isThere = true;
  const meter = createPacedMeter(
    {read: () => (isThere ? {...usage, cpuMs: (cpuMs += 10)} : undefined), ranOutOfMemory: () => cpuMs >= 30},
    () => now,
  );
  const readAt = (time: number): number | undefined => ((now = time), meter.read()?.cpuMs);
  expect([readAt(0), readAt(49), readAt(50), readAt(99)]).toEqual([10, 10, 20, 20]);
  expect(meter.ranOutOfMemory()).toBe(false);
  isThere = false;
  expect(readAt(100)).toBeUndefined();
  isThere = true;
  expect(readAt(101)).toBe(30);
  expect(meter.ranOutOfMemory()).toBe(true);
});
