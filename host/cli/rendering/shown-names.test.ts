import {expect, it} from 'vitest';
import {shownNames} from './shown-names.ts';

it('shows a name of a server without effects on the terminal', () => {
  expect(shownNames(['a\u001B[31mred\nnext', 'b'])).toBe(String.raw`a\x1b[31mred next, b`);
});

it('counts names beyond the first', () => {
  const names = Array.from({length: 20}, (_, index) => `t${index}`);
  expect(shownNames(names)).toMatch(/^t0, .* t11 and 8 more$/u);
  expect(shownNames(names.slice(0, 13))).toMatch(/, t12$/u);
});
