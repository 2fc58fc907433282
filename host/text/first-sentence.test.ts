import {expect, test} from 'vitest';
import {firstSentence} from './first-sentence.ts';

test.each([
  ['Adds a note. It is kept.', 'Adds a note'],
  ['Adds a note: in a file', 'Adds a note'],
  ['Adds a note.', 'Adds a note'],
  ['the workspace (default: the nearest)', 'the workspace (default: the nearest)'],
  ['the lane (default: the first). It exists.', 'the lane (default: the first)'],
  ['a note ( open', 'a note ( open'],
])('%s', (text, sentence) => expect(firstSentence(text)).toBe(sentence));
