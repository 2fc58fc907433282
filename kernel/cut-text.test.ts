import {expect, test} from 'vitest';
import {cutText} from './cut-text.ts';

test.each([
  ['abc', 5, 'abc'],
  ['abc', 2, 'ab'],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['😀', 1, ''],
  ['', 3, ''],
])('%j cut to %i is %j', (text, max, cut) => expect(cutText(text, max)).toBe(cut));
