import {expect, test} from 'vitest';
import {tryCanonicalJson} from './canonical-json.ts';
import {shownPointer} from './shown-pointer.ts';

test.each(['', '/a/b', `/${'x'.repeat(199)}`])('a short pointer is shown whole', (pointer) => {
  expect(shownPointer(pointer)).toBe(pointer);
});

test('of a long pointer the two ends are shown, without half a character', () => {
  const shown = shownPointer(`/first${'/😀'.repeat(10_000)}/last`);
  expect(shown).toMatch(/^\/first(\/😀)+\/? … /u);
  expect(shown).toMatch(/\/last$/u);
  expect(shown.length).toBeLessThan(400);
  expect(shown).not.toMatch(/\p{Surrogate}/u);
});

test('a value at a long pointer has a short message', () => {
  const written = tryCanonicalJson({['x'.repeat(100_000)]: Number.NaN});
  expect(written.ok ? '' : written.problem.message).toMatch(/^the value at `.{190,210}` /u);
});
