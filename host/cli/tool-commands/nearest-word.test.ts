import {expect, test} from 'vitest';
import {nearestWord} from './nearest-word.ts';

test.each([
  ['docs', ['feature', 'bug', 'documentation'], 'documentation'],
  ['token', ['id', 'lease-token', 'dry-run'], 'lease-token'],
  ['feture', ['feature', 'bug'], 'feature'],
  ['unit', ['tests.unit', 'unit-of'], undefined],
  ['xyz', ['feature', 'bug'], undefined],
  ['do', ['documentation'], undefined],
])('%s among %j is %s', (text, words, meant) => {
  expect(nearestWord(text, words)).toBe(meant);
});
