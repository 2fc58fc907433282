import {describe, expect, it} from 'vitest';
import {renderFields, wrapText} from './render-fields.ts';
import {createStyle} from './style.ts';

describe('renderFields', () => {
  it('aligns values, wraps them in their column and leaves out what is undefined', () => {
    const fields = [
      ['a', 'short'],
      ['gone', undefined],
      ['long', 'one two three four five six seven eight'],
    ] as const;
    expect(renderFields(fields, createStyle({colour: false, width: 40}), 2)).toBe(
      ['  a     short', '  long  one two three four five six', '        seven eight'].join('\n'),
    );
  });
});

describe('wrapText', () => {
  it('keeps indentation and begins no line with the space it broke at', () => {
    expect(wrapText(`  indented\n${'word '.repeat(6).trim()}`, 20)).toBe('  indented\nword word word word\nword word');
  });
});
