import {assert, constantFrom, oneof, property, string} from 'fast-check';
import {describe, expect, it} from 'vitest';
import {fromToolName, resourceToolName, toPromptName, toToolName} from './upstream-name.ts';

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

  it('has no tool with the name of a prompt, nor of the tool that reads resources', () => {
    assert(
      property(constantFrom('prompt', 'resource', 'a'), string({unit: signs, maxLength: 9}), (start, rest) => {
        const portable = toToolName('p', `${start}${rest}`) ?? '';
        expect(portable).not.toMatch(/^p:(prompt|resource)----/u);
      }),
    );
    expect([toPromptName('p', 'sum_up'), resourceToolName('p')]).toEqual(['p:prompt----sum-up', 'p:resource----read']);
    expect(toPromptName('p', 'x'.repeat(53))).toBeUndefined();
  });

  it.each(['', 'Upper', '2fa', 'x'.repeat(62)])('has no encoding for `%s`', (name) => {
    expect(toToolName('fs', name)).toBeUndefined();
  });
});
