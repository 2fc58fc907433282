// The table of styles in the OpenAPI specification.
import {expect, it} from 'vitest';
import {headerText, pathText, queryPairs} from './serialize-parameter.ts';

const list = ['blue', 'black', 'brown'];
const color = {R: 100, G: 200, B: 150};
const of = (style: Parameters<typeof pathText>[0]['style'], explode: boolean) => ({name: 'color', style, explode});

it.each([
  ['simple', false, 'blue', 'blue'],
  ['simple', false, list, 'blue,black,brown'],
  ['simple', false, color, 'R,100,G,200,B,150'],
  ['simple', true, color, 'R=100,G=200,B=150'],
  ['label', false, list, '.blue,black,brown'],
  ['label', true, list, '.blue.black.brown'],
  ['label', false, color, '.R,100,G,200,B,150'],
  ['label', true, color, '.R=100.G=200.B=150'],
  ['matrix', false, 'blue', ';color=blue'],
  ['matrix', false, list, ';color=blue,black,brown'],
  ['matrix', true, list, ';color=blue;color=black;color=brown'],
  ['matrix', false, color, ';color=R,100,G,200,B,150'],
  ['matrix', true, color, ';R=100;G=200;B=150'],
] as const)('path: %s, explode %s', (style, explode, value, text) => {
  expect(pathText(of(style, explode), value)).toBe(text);
});

it.each([
  ['form', true, 'blue', 'color=blue'],
  ['form', false, list, 'color=blue,black,brown'],
  ['form', true, list, 'color=blue&color=black&color=brown'],
  ['form', false, color, 'color=R,100,G,200,B,150'],
  ['form', true, color, 'R=100&G=200&B=150'],
  ['spaceDelimited', false, list, 'color=blue%20black%20brown'],
  ['pipeDelimited', false, list, 'color=blue%7Cblack%7Cbrown'],
  ['deepObject', true, color, 'color[R]=100&color[G]=200&color[B]=150'],
  ['json', false, color, 'color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D'],
  ['form', true, [], ''],
] as const)('query: %s, explode %s', (style, explode, value, text) => {
  expect(queryPairs(of(style, explode), value).join('&')).toBe(text);
});

it('encodes what would separate parts of an address', () => {
  expect(pathText(of('simple', false), 'a/b?c#d&e=f;g,h')).toBe('a%2Fb%3Fc%23d%26e%3Df%3Bg%2Ch');
  expect(queryPairs(of('form', true), "a&b=c+d e'")).toEqual(['color=a%26b%3Dc%2Bd%20e%27']);
});

it('writes headers as they are', () => {
  expect(headerText(of('simple', false), list)).toBe('blue,black,brown');
  expect(headerText(of('simple', true), color)).toBe('R=100,G=200,B=150');
});
