import {assert, constantFrom, integer, property, string} from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {fitText, padText} from './fit-text.ts';

test.each([
  ['tools', 9, 'tools'],
  ['tools', 5, 'tools'],
  ['tools', 4, 'too…'],
  ['tools', 1, '…'],
  ['', 0, ''],
  ['工具箱', 6, '工具箱'],
  ['工具箱', 5, '工具…'],
  ['工具箱', 4, '工…'],
  ['e\u0301a\u0301', 2, 'e\u0301a\u0301'],
  ['a👩‍👩‍👧b', 3, 'a…'],
])('%s in %i columns: %s', (text, columns, fitted) => {
  expect(fitText(text, columns)).toBe(fitted);
});

test('what is fitted and padded is as wide as it was to be', () => {
  const text = string({unit: constantFrom('a', ' ', '~', '\u00e9', '工', '👩‍👩‍👧'), maxLength: 12});
  assert(
    property(text, integer({min: 1, max: 14}), (given, columns) => {
      expect(stringWidth(padText(fitText(given, columns), columns))).toBe(columns);
    }),
  );
});
