import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {carriesText} from './carries-text.ts';

const words = fc.string({unit: fc.constantFrom('a', 'b', ' ', '.', 'Ä', '\n'), maxLength: 60});

/** By its definition: each part is searched for. */
function searched(sent: readonly string[], read: readonly string[]): boolean {
  const lettersOf = (text: string): string =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const target = sent.map(lettersOf).join('\n');
  return read.map(lettersOf).some((text) => {
    if (text.length < 24) return text.length >= 12 && target.includes(text);
    return Array.from({length: text.length - 23}).some((_, at) => target.includes(text.slice(at, at + 24)));
  });
}

test('it finds what a search for each part finds', () => {
  fc.assert(
    fc.property(fc.array(words, {maxLength: 3}), fc.array(words, {maxLength: 3}), (sent, read) => {
      expect(carriesText(sent, read)).toBe(searched(sent, read));
    }),
  );
});

test('a part of 24 letters is found wherever it is put, however it is wrapped', () => {
  const read = fc.string({unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), minLength: 24, maxLength: 200});
  fc.assert(
    fc.property(read, fc.nat(), fc.string(), fc.nat({max: 23}), (text, at, around, wrap) => {
      const start = at % (text.length - 23);
      const part = text.slice(start, start + 24).toUpperCase();
      const wrapped = `${part.slice(0, wrap)} -\n> ${part.slice(wrap)}`;
      expect(carriesText(['first', `${around} ${wrapped} ${around}`], [text])).toBe(true);
    }),
  );
});

test('short values count as a whole', () => {
  expect(carriesText(['code 4711-0815-2342'], ['4711 0815 2342'])).toBe(true);
  expect(carriesText(['code 4711-0815'], ['4711 0815'])).toBe(false);
});
