import {expect, test} from 'vitest';
import {createCelEnvironment} from './cel-environment.ts';
import {fromCel, toCel} from './cel-values.ts';

test('keys that objects of JavaScript inherit are keys like others', () => {
  const environment = createCelEnvironment(true);
  const of = JSON.parse('{"constructor": {"__proto__": 1}, "toString": [2], "b": {"constructor": "c"}}') as unknown;
  const evaluate = (source: string): unknown =>
    fromCel(environment.parse(source)(toCel({of}) as Record<string, unknown>));
  expect(evaluate('of')).toEqual(of);
  expect(evaluate('of.constructor.__proto__ + of.toString[0]')).toBe(3);
  expect(evaluate('[of].filter(x, has(x.constructor) && !has(x.valueOf)).map(x, x.b.constructor)')).toEqual(['c']);
  expect(evaluate('size(of) == 3 && of.b == of.b && "b" in of')).toBe(true);
});
