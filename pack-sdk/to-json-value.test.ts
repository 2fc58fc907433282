import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {toJsonValue} from './to-json-value.ts';

test('a JSON value is copied as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 6}), (value) => {
      expect(toJsonValue(value)).toEqual({ok: true, value});
    }),
  );
});

test('what is accepted is what JSON.stringify would send', () => {
  fc.assert(
    fc.property(fc.anything({withDate: true, withMap: true, withBigInt: true, withNullPrototype: true}), (value) => {
      const json = toJsonValue(value);
      if (json.ok) expect(JSON.parse(JSON.stringify({value: json.value}))).toEqual(JSON.parse(JSON.stringify({value})));
    }),
  );
});

describe('refused, with a pointer', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = [cycle];
  let deep: unknown = null;
  for (let i = 0; i < 2000; i++) deep = [deep];
  test.each<[unknown, string, string]>([
    [undefined, '', 'undefined is not'],
    [{a: [1, undefined]}, '/a/1', 'undefined is not'],
    [{'a/b~': NaN}, '/a~1b~0', 'NaN is not'],
    [-Infinity, '', '-Infinity is not'],
    [{m: new Map()}, '/m', 'Map is not'],
    [{e: new Error('x')}, '/e', 'Error is not'],
    [{u: new Uint8Array(2)}, '/u', 'Uint8Array is not'],
    [{p: Promise.resolve()}, '/p', 'Promise is not'],
    [{f: () => 1}, '/f', 'function is not'],
    [cycle, '/self/0', 'contains itself'],
  ])('%o', (value, pointer, message) => {
    expect(toJsonValue(value)).toEqual({ok: false, pointer, message: expect.stringContaining(message)});
  });

  test('an object that cannot be read', () => {
    const toJSON = (): never => {
      throw new Error('no');
    };
    expect(toJsonValue({a: {toJSON}})).toEqual({ok: false, pointer: '/a', message: 'reading it throws: Error: no'});
  });

  test('nesting without end', () => {
    expect(toJsonValue(deep)).toMatchObject({ok: false, message: 'it is nested deeper than 1000 levels'});
  });
});

test('dates become strings, undefined fields are omitted, the same object twice is not a cycle', () => {
  const same = {a: 1};
  expect(toJsonValue({at: new Date(0), gone: undefined, x: same, y: same})).toEqual({
    ok: true,
    value: {at: '1970-01-01T00:00:00.000Z', x: {a: 1}, y: {a: 1}},
  });
});

test('a field named __proto__ stays a field', () => {
  const json = toJsonValue(JSON.parse('{"__proto__": {"polluted": true}}'));
  expect(json.ok && JSON.stringify(json.value)).toBe('{"__proto__":{"polluted":true}}');
});
