import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {KeyRows} from './key-rows.ts';

// Keys of one slot, keys of one mark, and keys that differ in both.
const key = fc.oneof(
  fc.nat(20),
  fc.nat(20).map((high) => high * 2 ** 32),
  fc.nat(Number.MAX_SAFE_INTEGER),
);

test('gives the row of each key, and none for others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, {maxLength: 300}), fc.array(key), (keys, others) => {
      const rows = new KeyRows(keys);
      for (const wanted of [...keys, ...others]) {
        expect(rows.find(wanted, (row) => keys[row] === wanted)).toBe(keys.indexOf(wanted));
      }
    }),
  );
});

test('hardly ever offers a row of another key', () => {
  const keys = Array.from({length: 16_384}, (_, row) => ((row * 2_654_435_761) % 2 ** 32) + (row % 2 ** 20) * 2 ** 32);
  const rows = new KeyRows(keys);
  let offered = 0;
  for (let other = 0; other < 10_000; other += 1) {
    rows.find(((other * 40_503) % 2 ** 32) + ((other * 7_919) % 2 ** 21) * 2 ** 32, () => {
      offered += 1;
      return false;
    });
  }
  expect(offered).toBeLessThan(20);
});
