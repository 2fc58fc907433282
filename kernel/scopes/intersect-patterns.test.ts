import {describe, expect, test} from 'vitest';
import {intersectPatterns, reducePatterns} from './intersect-patterns.ts';
import {parsePattern} from './parse-pattern.ts';
import type {PathPattern} from './path-pattern.ts';
import {workBudget} from './work-budget.ts';

function parsed(...texts: readonly string[]): PathPattern[] {
  return texts.flatMap((text) => {
    const answer = parsePattern(text);
    if (!answer.ok) throw new Error(answer.problem.message);
    return answer.value;
  });
}

function texts(set: ReturnType<typeof intersectPatterns>): string | string[] {
  return set === 'too_complex' ? set : set.map(({text}) => text);
}

const numbered = (count: number, pattern: (index: number) => string): PathPattern[] =>
  parsed(...Array.from({length: count}, (_, index) => pattern(index)));

describe('the intersection of two patterns', () => {
  test.each([
    ['src/**', '**/*.ts', ['src/**/*.ts']],
    ['packages/*/src/**', 'packages/a/**', ['packages/a/src/**']],
    ['**/*.md', '**', ['**/*.md']],
    ['src/**/*.ts', '**', ['src/**/*.ts']],
    ['packages/*/*/*', 'packages/**', ['packages/*/*/*']],
    ['src/{a,b}/**', 'src/a/**', ['src/a/**']],
    ['./src/a/**', 'src/**', ['src/a/**']],
    ['.github/**', '**', ['.github/**']],
    ['**/.config/*', 'a/**', ['a/**/.config/*']],
    ['src/**', 'docs/**', []],
    ['src', 'src/**', ['src']],
    ['src/*', 'src', []],
    ['**/a/**', '**/b/**', ['**/a/**/b/**', '**/b/**/a/**']],
    ['**/a', 'a/**', ['a', 'a/**/a']],
    ['**/*.ts', '**/a*', ['**/a*.ts']],
    ['*/**', '**/*', ['*/**']],
    ['a/**/b/**/c', 'a/*/c', ['a/b/c']],
    ['a/**/b/**/c', 'a/*/*/c', ['a/*/b/c', 'a/b/*/c']],
  ])('%s ∩ %s', (a, b, expected) => {
    expect(texts(intersectPatterns(parsed(a), parsed(b)))).toEqual(expected);
  });

  test.each([
    ['a*', '*b', ['a*b']],
    ['ab*', '*ba', ['ab*ba', 'aba']],
    ['a*', '*a', ['a', 'a*a']],
    ['*ab*', '*ba*', ['*ab*ba*', '*aba*', '*ba*ab*', '*bab*']],
    ['a?', '?b', ['ab']],
    ['?*', '*?', ['*']],
    ['a*', '??', ['a?']],
    ['*.ts', '?.*', ['?.*.ts', '?.ts']],
    ['😀*', '?', ['😀']],
    ['a*', 'b*', []],
    ['.*', '*.', ['.*.']],
    ['.?', '?.', []],
  ])('within a segment: %s ∩ %s', (a, b, expected) => {
    expect(texts(intersectPatterns(parsed(a), parsed(b)))).toEqual(expected);
  });
});

describe('a set is kept small', () => {
  test.each([
    [['src/**', 'src/a/**', 'src/a'], ['src/**']],
    [
      ['b', 'a', 'b'],
      ['a', 'b'],
    ],
    [['*.ts', 'a*.ts', 'a?.ts'], ['*.ts']],
    [['**/*', '*/**', 'a/*'], ['*/**']],
    [
      ['a/**', '**/b'],
      ['**/b', 'a/**'],
    ],
    [[], []],
  ])('%j', (written, expected) => {
    expect(texts(reducePatterns(parsed(...written)))).toEqual(expected);
  });
});

describe('what would be too large or too costly is refused', () => {
  test.each([
    ['patterns', numbered(40, (n) => `p${n}/**`), numbered(40, (n) => `**/*.x${n}`)],
    ['interleavings', numbered(31, (n) => `**/a${n}/**/c${n}/**`), numbered(31, (n) => `**/b${n}/**/d${n}/**`)],
    ['stars', parsed('*a*b*c*d*e*f*g*h*'), parsed('*i*j*k*l*m*n*o*p*')],
    ['states that lead nowhere', parsed('*a'.repeat(500)), parsed('*b'.repeat(500))],
    ['segments that lead nowhere', parsed('**/a/'.repeat(200)), parsed('**/b/'.repeat(200))],
    ['long segments', parsed('**/*a*a*a*a*a/'.repeat(40)), parsed('**/*b*b*b*b*b/'.repeat(40))],
  ])('%s', (_, a, b) => {
    expect(intersectPatterns(a, b)).toBe('too_complex');
  });

  test('a set of more than 1024 patterns', () => {
    expect(texts(reducePatterns(numbered(1024, (n) => `a${n}`)))).toHaveLength(1024);
    expect(reducePatterns(numbered(1025, (n) => `a${n}`))).toBe('too_complex');
  });

  test('more work than is left', () => {
    const [a, b] = [parsed('a*'), parsed('*b')];
    expect(intersectPatterns(a, b, workBudget(50))).toBe('too_complex');
    expect(reducePatterns([...a, ...b], workBudget(0))).toBe('too_complex');
    expect(reducePatterns(parsed('a*', 'ab*'), workBudget(10))).toBe('too_complex');
  });

  test('while 31 by 31 patterns that meet are still listed', () => {
    const met = intersectPatterns(
      numbered(31, (n) => `p${n}/**`),
      numbered(31, (n) => `**/*.x${n}`),
    );
    expect(met).toHaveLength(961);
  });
});
