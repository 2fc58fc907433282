import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {median, quantile} from './statistics.ts';

const numbers = fc.array(fc.integer({min: -1_000, max: 1_000}), {minLength: 1});

test.each([
  [[3], 0.5, 3],
  [[4, 1, 3, 2], 0.5, 2.5],
  [[10, 9, 1], 0.5, 9],
  [[0, 100], 0.95, 95],
  [[5, 1, 9], 0, 1],
  [[5, 1, 9], 1, 9],
])('of %j the quantile %d is %d', (values, q, expected) => {
  expect(quantile(values, q)).toBeCloseTo(expected, 10);
});

test('half of the values lie on each side of the median, in any order', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const middle = median(values);
      const below = values.filter((value) => value < middle).length;
      const above = values.filter((value) => value > middle).length;
      expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
      expect(median(values.toReversed())).toBe(middle);
    }),
  );
});

test('one wild value does not move the median far', () => {
  expect(median([1, 1, 1, 1, 1_000])).toBe(1);
});

test('no values have no median', () => {
  expect(() => median([])).toThrow(RangeError);
});
