// What a regular expression requires is in each text that it matches.
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {policyPorts} from './policy-ports.fixture.ts';
import {requiredText, withRequiredText} from './required-text.ts';

test.each([
  ['AKIA[0-9A-Z]{16}', 'AKIA'],
  ['-----BEGIN (?:RSA )?PRIVATE KEY-----', ' PRIVATE KEY-----'.slice(1)],
  ['\\bghp_\\w{36}\\b', 'ghp_'],
  ['a\\.b\\.c+', 'a.b.c'],
  ['abcd*ef', 'abc'],
  ['abcd{0}', 'abc'],
  ['^x(a|b)token: .$', 'token: '],
  ['[^]x]]abc', undefined],
  ['[[:alpha:]]abc', undefined],
  ['abc|d', undefined],
  ['(?i)abcd', undefined],
  ['abc(?i:d)', undefined],
  ['\\Qabc*\\E*', undefined],
  ['\\x61bcd', undefined],
  ['ab', undefined],
  ['x((abc)|y)', undefined],
])('%s requires %s', (source, text) => {
  expect(requiredText(source)).toBe(text);
});

const pieces =
  'a b c abc abcd x . * + ? {2} {0,1} {0} | ( ) (?: (?i) (?i: [ab] [^a] [ ] ^ $ \\b \\d \\. \\x61 \\Q \\E * - é'.split(
    ' ',
  );
const source = fc.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 7}).map((parts) => parts.join(''));
const text = fc.array(fc.constantFrom('a', 'b', 'c', 'abc', 'abcd', 'x', 'A', 'BC', '.', '1', 'é', '*', '-'), {
  maxLength: 8,
});

test('an expression matches and replaces as it does without the search', () => {
  fc.assert(
    fc.property(source, fc.array(text, {minLength: 5, maxLength: 5}), (pattern, texts) => {
      const regex = policyPorts.compileRegex(pattern);
      if (!regex.ok) return;
      const searched = withRequiredText(regex.value, pattern);
      for (const parts of texts) {
        const whole = parts.join('');
        expect(searched.test(whole)).toBe(regex.value.test(whole));
        expect(searched.replaceAll(whole, '!')).toBe(regex.value.replaceAll(whole, '!'));
      }
    }),
    {numRuns: 500},
  );
});
