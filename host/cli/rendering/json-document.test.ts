import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {jsonDocument} from './json-document.ts';

/** Controls, marks of direction and everything below. */
const character = fc.integer({min: 0, max: 0x2100}).map((code) => String.fromCodePoint(code));

describe('jsonDocument', () => {
  it('says ok, or which error', () => {
    expect(JSON.parse(jsonDocument({a: 1}))).toEqual({ok: true, a: 1});
    expect(JSON.parse(jsonDocument({a: 1}, {code: 'X', message: 'no'}))).toEqual({
      ok: false,
      error: {code: 'X', message: 'no', details: {}},
      a: 1,
    });
  });

  it('preserves any text, and contains nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.string({unit: character}), (text) => {
        const document = jsonDocument({text});
        expect(document).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(JSON.parse(document)).toEqual({ok: true, text});
      }),
    );
  });
});
