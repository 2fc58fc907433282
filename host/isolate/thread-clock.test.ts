// A thread's clock goes on while the thread works, and stands while it waits.
import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openThreadClock, overdue, workedMs} from './thread-clock.ts';

test.runIf(existsSync('/proc/thread-self/schedstat'))('it counts work, and no waiting', () => {
  const {file, now} = openThreadClock();
  const startedMs = now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const waited = now() - startedMs;
  expect(waited).toBeLessThan(150);
  while (now() - startedMs < waited + 20);
  expect(workedMs(file) - startedMs).toBeGreaterThanOrEqual(waited + 20);
});

test('where the system does not tell, the wall clock counts', () => {
  const before = performance.now();
  expect(workedMs(undefined)).toBeGreaterThanOrEqual(before);
});

test('a thread that has ended has nothing more to give', () => {
  expect(workedMs('/proc/self/task/0/schedstat')).toBe(Infinity);
  expect(overdue(() => workedMs('/proc/self/task/0/schedstat'), 250)()).toBe(true);
});

test('a thread is overdue once it has worked for its time, or was waited for too often', () => {
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
