import {expect, test} from 'vitest';
import {normalizePath, segmentsOf} from './normalize-path.ts';

test.each([
  ['a', 'a'],
  ['./a//b/./c/', 'a/b/c'],
  ['a/../b', 'b'],
  ['a/b/../../c', 'c'],
  ['.//.lumenflow/x', '.lumenflow/x'],
  ['a/../.lumenflow/x', '.lumenflow/x'],
  ['.', '.'],
  ['a/..', '.'],
  ['...', '...'],
  ['a*?{b}', 'a*?{b}'],
  ['ü😀', 'ü😀'],
])('%j is %j', (path, normalized) => {
  expect(normalizePath(path)).toBe(normalized);
});

test.each([
  '',
  '/',
  '/a',
  '//a',
  '..',
  '../a',
  'a/../../b',
  'a/../../a',
  'a\0',
  'a\\b',
  'C:/a',
  'a\uD800',
  'a'.repeat(4097),
])('%j is no path of the workspace', (path) => {
  expect(normalizePath(path)).toBeUndefined();
});

test('the root has no segments', () => {
  expect(segmentsOf('.')).toEqual([]);
  expect(segmentsOf('a/b')).toEqual(['a', 'b']);
});
