// A thread's clock runs while the thread works, and stops while it waits.
import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openThreadClock, overdue, workedMs} from './thread-clock.ts';

test.runIf(existsSync('/proc/thread-self/schedstat'))('counts work, but no waiting', () => {
  const {file, now} = openThreadClock();
  const startedMs = now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const waited = now() - startedMs;
  expect(waited).toBeLessThan(150);
  while (now() - startedMs < waited + 20);
  expect(workedMs(file) - startedMs).toBeGreaterThanOrEqual(waited + 20);
});

test('falls back to the wall clock', () => {
  const before = performance.now();
  expect(workedMs(undefined)).toBeGreaterThanOrEqual(before);
});

test('reports an ended thread as overdue', () => {
  expect(workedMs('/proc/self/task/0/schedstat')).toBe(Infinity);
  expect(overdue(() => workedMs('/proc/self/task/0/schedstat'), 250)()).toBe(true);
});

test('a thread is overdue once it has used its time, or after too many waits', () => {
  let worked = 7;
  const isOver = overdue(() => worked, 250);
  expect(isOver()).toBe(false);
  worked += 249;
  expect(isOver()).toBe(false);
  worked += 1;
  expect(isOver()).toBe(true);
  const isStarved = overdue(() => 7, 250);
  const answers = Array.from({length: 41}, () => isStarved());
  expect(answers.indexOf(true)).toBe(40);
});
