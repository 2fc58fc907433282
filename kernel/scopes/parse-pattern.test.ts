import {describe, expect, test} from 'vitest';
import {parsePattern} from './parse-pattern.ts';

function texts(pattern: string): string[] {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value.map(({text}) => text);
}

describe('a pattern is read in canonical form', () => {
  test.each([
    ['src/**', ['src/**']],
    ['./src//a/./b', ['src/a/b']],
    // A directory is meant with all that is in it.
    ['src/', ['src/**']],
    ['src/*//', ['src/*/**']],
    ['src/**/', ['src/**']],
    ['**', ['**']],
    ['**/**/a/**/**', ['**/a/**']],
    ['src/**/*', ['src/*/**']],
    ['src/**/*/x', ['src/*/**/x']],
    ['a*?*b', ['a?*b']],
    ['?*/x', ['*/x']],
    ['.env', ['.env']],
    ['a b (1)/ü😀.ts', ['a b (1)/ü😀.ts']],
    ['a,b', ['a,b']],
    ['app/(group)/page.tsx', ['app/(group)/page.tsx']],
    ['a]b', ['a]b']],
  ])('%s', (written, expected) => {
    expect(texts(written)).toEqual(expected);
  });
});

describe('braces are written out', () => {
  test.each([
    ['{a,b}', ['a', 'b']],
    ['src/{a,b}/**/*.{ts,md}', ['src/a/**/*.ts', 'src/a/**/*.md', 'src/b/**/*.ts', 'src/b/**/*.md']],
    ['{a/b,c/{d,e/f}}/g', ['a/b/g', 'c/d/g', 'c/e/f/g']],
    ['a{,b}', ['a', 'ab']],
    ['src/{,a/}x', ['src/x', 'src/a/x']],
    ['{a}', ['a']],
  ])('%s', (written, expected) => {
    expect(texts(written)).toEqual(expected);
  });

  test('up to 256 alternatives', () => {
    expect(texts('{a,b}'.repeat(8))).toHaveLength(256);
  });
});

describe('what the language lacks is refused with its position', () => {
  test.each([
    ['', 0, 'does not name a path'],
    ['./', 0, 'does not name a path'],
    ['/etc/passwd', 0, 'absolute'],
    ['//a', 0, 'absolute'],
    ['{,a}/b', 4, 'absolute'],
    ['~/.ssh', 0, 'absolute'],
    ['C:/x', 0, 'absolute'],
    ['src/../x', 4, '`..`'],
    ['a/{b,../c}', 5, '`..`'],
    ['..', 0, '`..`'],
    ['!src/**', 0, 'negation'],
    ['src/[ab].ts', 4, 'character class'],
    ['src/@(a|b)', 4, 'extended glob'],
    ['src/!(a)', 4, 'extended glob'],
    ['a\\b', 1, 'backslash'],
    ['a\0b', 1, 'control character'],
    ['a\nb', 1, 'control character'],
    ['a\uD800', 1, 'lone surrogates'],
    ['a**', 0, '`**` must be'],
    ['src/***', 4, '`**` must be'],
    ['src/{*,a}*', 5, '`**` must be'],
    ['a/{b,c', 2, '`{` has no matching'],
    ['a/{b,{c,d}', 2, '`{` has no matching'],
    ['a/b}', 3, '`}` has no matching'],
    ['😀/{a', 3, '`{` has no matching'],
    [`x${'{a,b}'.repeat(9)}`, 41, 'more than 256'],
    [`{${'a,'.repeat(256)}a}`, 0, 'more than 256'],
    ['a'.repeat(1025), 1024, 'more than 1024'],
  ])('%j', (written, offset, message) => {
    const parsed = parsePattern(written);
    expect(parsed).toEqual({
      ok: false,
      problem: {offset, message: expect.stringContaining(message), help: expect.any(String)},
    });
  });
});
