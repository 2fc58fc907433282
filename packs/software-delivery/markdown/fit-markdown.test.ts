import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {byteLength, cutText, fitMarkdown} from './fit-markdown.ts';

describe('markdown that fits', () => {
  const item = fc.string({unit: 'grapheme', maxLength: 400});
  const section = fc.record({
    heading: fc.string({maxLength: 100}),
    items: fc.array(item, {maxLength: 12}),
    as: fc.constantFrom('list' as const, 'text' as const),
  });

  it('never exceeds its size limit', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(section, {maxLength: 8}),
        fc.integer({min: 2048, max: 8192}),
        (title, sections, max) => {
          expect(byteLength(fitMarkdown(title, sections, max))).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  it('is complete if it fits', () => {
    const sections = [
      {heading: 'One', items: ['a', 'b\nc']},
      {heading: 'Two', items: []},
      {heading: 'Three', items: ['d'], as: 'text' as const},
    ];
    expect(fitMarkdown('A\ntitle', sections, 4096)).toBe('# A title\n\n## One\n\n- a\n- b\n  c\n\n## Three\n\nd\n');
  });

  it('contains each section’s first items and counts the rest', () => {
    const many = Array.from({length: 50}, (_, index) => `${index} ${'x'.repeat(100)}`);
    const text = fitMarkdown(
      'T',
      [
        {heading: 'A', items: many},
        {heading: 'B', items: many},
        {heading: 'C', items: ['last']},
      ],
      2048,
    );
    expect(text).toContain('- last\n');
    const kept = text.split('\n').filter((line) => line.startsWith('- ') && line.endsWith('x')).length;
    const left = [...text.matchAll(/- … (\d+) more/g)].map((match) => Number(match[1]));
    expect(left).toHaveLength(2);
    expect(kept + left[0]! + left[1]!).toBe(100);
    expect(Math.abs(left[0]! - left[1]!)).toBeLessThanOrEqual(1);
  });

  const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text);

  it('cuts between characters', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), fc.integer({min: 8, max: 60}), (text, max) => {
        const cut = cutText(text, max);
        expect(byteLength(cut)).toBeLessThanOrEqual(max);
        if (byteLength(text) <= max) expect(cut).toBe(text);
        else expect(hasLoneSurrogate(cut) && !hasLoneSurrogate(text)).toBe(false);
      }),
    );
    expect(cutText('ääää', 6)).toBe('ä…');
  });
});
