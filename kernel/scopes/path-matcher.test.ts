import {describe, expect, test} from 'vitest';
import {compileMatcher} from './path-matcher.ts';
import {parsePattern} from './parse-pattern.ts';

function matches(pattern: string, path: string): boolean {
  const parsed = parsePattern(pattern);
  return parsed.ok && compileMatcher(parsed.value)(path);
}

describe('a pattern', () => {
  test.each([
    ['src/**', 'src'],
    ['src/**', 'src/a/b.ts'],
    ['src/**', 'src/.git/config'],
    ['**', '.'],
    ['**', '.env'],
    ['**/*.ts', 'a.ts'],
    ['**/*.ts', 'x/y/.a.ts'],
    ['*', '.hidden'],
    ['a?c', 'abc'],
    ['a?c', 'a😀c'],
    ['a?*', 'a😀'],
    ['a*c', 'ac'],
    ['a/*/c', 'a/b/c'],
    ['{a,b/c}/d', 'b/c/d'],
    ['a*b', 'a*?b'],
  ])('%s matches %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true);
  });

  test.each([
    ['src/**', 'srcx'],
    ['src/**', 'lib/src/a'],
    ['src', 'src/a'],
    ['*', 'a/b'],
    ['*', '.'],
    ['a/*', 'a'],
    ['**/*.ts', 'a.tsx'],
    ['a?c', 'ac'],
    ['a??c', 'a😀c'],
    ['a*c', 'a/c'],
    ['SRC/**', 'src/a'],
    ['ab*ba', 'aba'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false);
  });
});

test('matching does not blow up on what makes backtracking explode', () => {
  expect(matches(`${'*a'.repeat(400)}b`, 'a'.repeat(4000))).toBe(false);
  expect(matches(`${'**/a/'.repeat(150)}b`, Array(2000).fill('a').join('/'))).toBe(false);
});
