import {expect, test} from 'vitest';
import {matchesWords} from './matches-words.ts';

test.each([
  ['', true],
  ['  ', true],
  ['read', true],
  ['READ docs', true],
  ['docs ile:r', true],
  ['read core', false],
  ['filedocs', false],
])('the words %j match: %s', (words, expected) => {
  expect(matchesWords(words, ['file:Read', 'docs', undefined])).toBe(expected);
});
