import {expect, test} from 'vitest';
import {textWidth} from './text-width.ts';

test.each(['✔', '✘', '●', '○', '▸', '?', '!', '✓', '■', '✗', '⚠'])('the mark %s takes one column', (mark) => {
  expect(textWidth(mark)).toBe(1);
});

test.each(['工', '👩‍👩‍👧', '❤️'])('%s takes two columns', (text) => {
  expect(textWidth(text)).toBe(2);
});
