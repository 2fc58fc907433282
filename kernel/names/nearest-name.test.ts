import {expect, test} from 'vitest';
import {nearestName} from './nearest-name.ts';

test.each([
  ['patern', ['access', 'pattern', 'type'], 'pattern'],
  ['pahts', ['packs', 'paths'], 'paths'],
  ['file:raed', ['file:write', 'file:read'], 'file:read'],
  ['Source', ['source', 'path'], 'source'],
  ['id', ['ids'], 'ids'],
])('%s is taken for %s → %s', (name, candidates, expected) => {
  expect(nearestName(name, candidates)).toBe(expected);
});

test.each([
  ['evidence', ['lanes', 'packs']],
  ['id', ['path', 'title']],
  ['x', ['y']],
  ['a', []],
  ['a'.repeat(201), ['a'.repeat(200)]],
])('%s is near none of %s', (name, candidates) => {
  expect(nearestName(name, candidates)).toBeUndefined();
});

test('the nearest of several wins', () => {
  expect(nearestName('wip_limt', ['wip_limits', 'wip_limit'])).toBe('wip_limit');
});
