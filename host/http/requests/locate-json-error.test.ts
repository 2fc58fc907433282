import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {locateJsonError} from './locate-json-error.ts';

test.each([
  ['', 1, 1, true],
  ['{"a": x}', 1, 7, false],
  ['{"a": 1,}', 1, 9, false],
  ['{"a": 1\n "b": 2}', 2, 2, false],
  ['[1, 2', 1, 6, true],
  ['[01]', 1, 2, false],
  ['[1 2]', 1, 4, false],
  ['{1: 2}', 1, 2, false],
  ['{"a" 2}', 1, 6, false],
  ['"a\nb"', 1, 3, false],
  ['"a\\x"', 1, 3, false],
  ['"abc', 1, 5, true],
  ['{} {}', 1, 4, false],
  ['[1}', 1, 3, false],
  ["{'a': 1}", 1, 2, false],
  ['nul', 1, 1, false],
  ['\u00a01', 1, 1, false],
])('finds where %j is wrong', (text, line, column, at_end) => {
  expect(locateJsonError(text)).toEqual({line, column, at_end});
});

test('agrees with JSON.parse about what is JSON, and points into the text', () => {
  const mutated = fc
    .tuple(
      fc.json({maxDepth: 4}),
      fc.nat(),
      fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', 'e', '.', '\n'),
    )
    .map(([text, at, character]) => {
      const offset = at % (text.length + 1);
      return text.slice(0, offset) + character + text.slice(offset + (at % 2));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), mutated, fc.string()), (text) => {
      const place = locateJsonError(text);
      expect(place === undefined).toBe(parses(text));
      if (!place) return;
      const lines = text.split('\n');
      expect(place.line).toBeLessThanOrEqual(lines.length);
      expect(place.column).toBeLessThanOrEqual(lines[place.line - 1]!.length + 1);
    }),
    {numRuns: 2_000},
  );
});

test('a million brackets do not cause recursion', () => {
  expect(locateJsonError('['.repeat(1_000_000))).toEqual({line: 1, column: 1_000_001, at_end: true});
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
