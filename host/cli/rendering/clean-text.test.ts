import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cleanLine, cleanText} from './clean-text.ts';

/** Controls, marks of direction and everything below. */
const character = fc.integer({min: 0, max: 0x2100}).map((code) => String.fromCodePoint(code));

describe('cleanText', () => {
  it('shows what a terminal would act on', () => {
    expect(cleanText('\u001b[31mred\u001b[0m')).toBe('\\x1b[31mred\\x1b[0m');
    expect(cleanText('\u001b]0;title\u0007')).toBe('\\x1b]0;title\\x07');
    expect(cleanText('\u009b2J')).toBe('\\x9b2J');
    expect(cleanText('a\rb\bc\u007f')).toBe('a\\x0db\\x08c\\x7f');
    expect(cleanText('user\u202egnp.exe')).toBe('user\\u202egnp.exe');
  });

  it('keeps line breaks, tabs and every letter', () => {
    expect(cleanText('a\r\n\tb — ü 漢 👩‍👩‍👧')).toBe('a\n\tb — ü 漢 👩‍👩‍👧');
  });

  it('makes one line of many for a cell', () => {
    expect(cleanLine('a\n\tb')).toBe('a b');
  });

  it('leaves no control character in any text', () => {
    fc.assert(
      fc.property(fc.string({unit: character}), (text) => {
        expect(cleanText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
