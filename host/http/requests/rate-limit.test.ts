import {expect, test} from 'vitest';
import {createRateLimit} from './rate-limit.ts';

test('allows one second’s requests immediately, then as it fills', () => {
  let nowMs = 0;
  const limit = createRateLimit(3, () => nowMs);
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([undefined, undefined, undefined, 1]);
  expect(limit.take('b')).toBeUndefined();
  nowMs = 340;
  expect([limit.take('a'), limit.take('a')]).toEqual([undefined, 1]);
  nowMs = 60_000;
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([undefined, undefined, undefined, 1]);
});

test('a rate below one a second still lets one through, and says how long to wait', () => {
  const limit = createRateLimit(0.1, () => 0);
  expect([limit.take('a'), limit.take('a')]).toEqual([undefined, 10]);
});
