import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {replaceText} from './replace-text.ts';

describe('replaceText', () => {
  it('replaces exactly, without patterns', () => {
    const {text, lines} = replaceText('a\n  $& (x)\nb', {old_text: '  $& (x)', new_text: "$1 $' $$"});
    expect({text, lines}).toEqual({text: "a\n$1 $' $$\nb", lines: [2]});
  });

  it('is reversible if old and new text occur once', () => {
    const text = fc.string({maxLength: 20});
    fc.assert(
      fc.property(text, text, (before, after) => {
        const source = `${before}OLD\n${after}`;
        const there = replaceText(source, {old_text: 'OLD\n', new_text: '\u0001'});
        expect(there.text).toBe(`${before}\u0001${after}`);
        expect(replaceText(there.text, {old_text: '\u0001', new_text: 'OLD\n'}).text).toBe(source);
      }),
    );
  });

  it('replaces all occurrences and returns their lines', () => {
    expect(replaceText('x\nx x\n', {old_text: 'x', new_text: 'y', replace_all: true})).toEqual({
      text: 'y\ny y\n',
      lines: [1, 2, 2],
    });
    expect(replaceText('a\na\na', {old_text: 'a\n', new_text: '', expected_count: 2})).toEqual({
      text: 'a',
      lines: [1, 2],
    });
  });

  it('rejects unexpected content', () => {
    const failure = (text: string, replacement: Parameters<typeof replaceText>[1]): unknown => {
      try {
        return replaceText(text, replacement);
      } catch (error) {
        return error;
      }
    };
    expect(failure('xx', {old_text: 'x', new_text: 'y'})).toMatchObject({
      code: 'TEXT_AMBIGUOUS',
      details: {occurrences: 2, lines: [1, 1]},
    });
    expect(failure('xx', {old_text: 'x', new_text: 'y', expected_count: 3})).toMatchObject({
      code: 'COUNT_MISMATCH',
      details: {expected_count: 3, occurrences: 2},
    });
    expect(failure('xx', {old_text: 'x', new_text: 'x'})).toMatchObject({code: 'NO_CHANGE'});
    expect(failure('a\r\nb', {old_text: 'a\nb', new_text: 'x'})).toMatchObject({
      code: 'TEXT_NOT_FOUND',
      details: {hint: 'the file has CRLF line ends'},
    });
    expect(failure('a\nb', {old_text: 'a\r\nb', new_text: 'x'})).toMatchObject({
      details: {hint: 'the file has LF line ends'},
    });
    expect(failure('if (x) {\n\ty;', {old_text: 'if (x) {\n  y;', new_text: 'x'})).toMatchObject({
      details: {hint: expect.stringContaining('white space')},
    });
    expect(failure('a', {old_text: 'b', new_text: 'x'})).toMatchObject({
      details: {hint: expect.stringContaining('read the file again')},
    });
  });
});
