import {expect, test} from 'vitest';
import {RecentMap} from './recent-map.ts';

test('what was set or used of late is there, and memory is bounded', () => {
  const map = new RecentMap<number, number>(10);
  for (let key = 0; key < 100; key += 1) {
    map.set(key, -key);
    expect(map.get(0)).toBe(-0);
    for (let recent = Math.max(0, key - 4); recent <= key; recent += 1) expect(map.get(recent)).toBe(-recent);
  }
  const kept = Array.from({length: 100}, (_, key) => map.get(key)).filter((value) => value !== undefined);
  expect(kept.length).toBeLessThanOrEqual(20);
});

test('what was deleted is gone, young or old', () => {
  const map = new RecentMap<string, number>(2);
  for (const key of ['a', 'b', 'c']) map.set(key, 1);
  map.delete('a');
  map.delete('c');
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 1, undefined]);
});
