import {assert, constantFrom, oneof, property, string} from 'fast-check';
import {describe, expect, it} from 'vitest';
import {fromToolName, toToolName} from './upstream-name.ts';

const signs = oneof(
  {weight: 9, arbitrary: constantFrom('a', 'f', '0', '9', '_', '-', '.', '/', 'Z')},
  {weight: 1, arbitrary: string({maxLength: 1})},
);

describe("the spelling of a server's tools", () => {
  it('is reversible for any characters', () => {
    assert(
      property(string({unit: signs, maxLength: 9}), (rest) => {
        const name = `a${rest}`;
        const portable = toToolName('p', name) ?? '';
        expect(portable).toMatch(/^p:[a-z][a-z0-9-]*$/);
        expect(fromToolName(portable)).toBe(name);
      }),
    );
  });

  it.each([
    ['read_file', 'fs:read-file'],
    ['get-sum', 'fs:get--sum'],
    ['getUser', 'fs:get---55-ser'],
    ['a__b', 'fs:a---5f----5f-b'],
  ])('spells `%s` as `%s`', (name, portable) => {
    expect(toToolName('fs', name)).toBe(portable);
  });

  it.each(['', 'Upper', '2fa', 'x'.repeat(62)])('has no encoding for `%s`', (name) => {
    expect(toToolName('fs', name)).toBeUndefined();
  });
});
