import {expect, test} from 'vitest';
import {compileRegex} from './compile-regex.ts';

function matches(source: string, text: string): boolean | string {
  const regex = compileRegex(source);
  return regex.ok ? regex.value.test(text) : regex.problem;
}

test.each([
  ['main', 'the main line', true],
  ['^main$', 'the main line', false],
  ['^v\\d+$', 'v12', true],
  ['(?i)ADMIN', 'admin', true],
  ['^.$', 'é', true],
])('%s on %s is %s', (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
});

test.each([
  ['(', 'missing closing ): `(`'],
  ['(?=x)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['((a{1000}){1000}){1000}', 'invalid repeat count: `{1000}`'],
  ['a'.repeat(1001), 'longer than 1000 characters'],
])('%s is refused', (source, problem) => {
  expect(matches(source, '')).toBe(problem);
});

test('a pattern that explodes in a backtracking engine does not', () => {
  expect(matches('^(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false);
});
