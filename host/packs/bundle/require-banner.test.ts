import {expect, test} from 'vitest';
import {requireBanner, withoutUnusedRequire} from './require-banner.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const without = (text: string): string => new TextDecoder().decode(withoutUnusedRequire(bytes(text)));

test.each([
  ['a module that does not mention it', '\nexport const run = () => 1;\n', true],
  ['a module that calls it', '\nexport const run = () => require("./data.json");\n', false],
  ['a module that could reach it by name', '\nexport const run = () => eval("require");\n', false],
])('%s', (_, code, isRemoved) => {
  expect(without(`${requireBanner}${code}`)).toBe(isRemoved ? code : `${requireBanner}${code}`);
});

test('text without the banner is left unchanged', () => {
  expect(without('{"version":3}')).toBe('{"version":3}');
  expect(without('')).toBe('');
});
