import * as fc from 'fast-check';
import {runInNewContext} from 'node:vm';
import {describe, expect, test} from 'vitest';
import {canonicalJson, tryCanonicalJson} from './canonical-json.ts';

function refusal(value: unknown): {pointer: string; message: string} {
  const written = tryCanonicalJson(value);
  if (written.ok) return expect.fail(`accepted as ${written.value}`);
  const {pointer, message} = written.problem;
  return {pointer, message};
}

describe('RFC 8785', () => {
  test('the sample of section 3.2.2', () => {
    const input = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(input))).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        `"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
  });

  test('the order of section 3.2.3: by UTF-16 code units', () => {
    const text = canonicalJson({
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    });
    expect([...text.matchAll(/:"([A-Z][a-z]+)/gu)].map(([, word]) => word)).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ]);
  });

  test.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-1.7976931348623157e308, '-1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [333333333.3333332, '333333333.3333332'],
  ])('appendix B: %d', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('what is kept', () => {
  test.each(['status: ok: 1', '0x10', '# comment', '', '\0', '\u2028', '{"a":1}', '~'])('%j stays a string', (text) => {
    expect(JSON.parse(canonicalJson({text}))).toEqual({text});
  });

  test('objects without a prototype, and those of another realm', () => {
    const bare: Record<string, unknown> = Object.assign(Object.create(null) as object, {b: 1, a: {}});
    expect(canonicalJson(bare)).toBe('{"a":{},"b":1}');
    expect(canonicalJson(runInNewContext('({b: [1], a: 2})'))).toBe('{"a":2,"b":[1]}');
  });

  test('a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":1}'))).toBe('{"__proto__":{"x":1},"a":1}');
  });

  test('the same object twice is not a cycle', () => {
    const shared = {x: 1};
    expect(canonicalJson([shared, {shared}])).toBe('[{"x":1},{"shared":{"x":1}}]');
  });

  test('text that looks like an escaped surrogate', () => {
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"');
  });

  test('50 MB of text', () => {
    expect(canonicalJson({text: 'x'.repeat(50 * 1024 * 1024)})).toHaveLength(50 * 1024 * 1024 + '{"text":""}'.length);
  });

  test('any JSON value survives, and its text depends on neither key order nor the way it came', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const back: unknown = JSON.parse(text);
        expect(back).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(back)).toBe(text);
        expect(canonicalJson(reversed(back))).toBe(text);
      }),
    );
  });

  test('different values have different texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other);
        expect(same).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
      }),
    );
  });
});

describe('what is refused', () => {
  const cycle: Record<string, unknown> = {a: {}};
  cycle['self'] = {deep: [cycle]};
  const named = Object.assign([1], {extra: 1});
  const symbolKey = {[Symbol('s')]: 1};
  const hidden = Object.defineProperty({}, 'h', {value: 1});
  const throwing = {
    get member(): never {
      throw new Error('not for you');
    },
  };

  test.each([
    ['undefined', undefined, '', 'is undefined'],
    ['an undefined member', {a: {b: undefined}}, '/a/b', 'is undefined'],
    ['an undefined element', {list: [1, undefined]}, '/list/1', 'is undefined'],
    ['a hole', {list: Object.assign([], {length: 2})}, '/list', 'holes'],
    ['NaN', [Number.NaN], '/0', 'is NaN'],
    ['Infinity', {n: Number.POSITIVE_INFINITY}, '/n', 'is Infinity'],
    ['a bigint', {n: 1n}, '/n', 'is a bigint'],
    ['a function', {f: () => 1}, '/f', 'is a function'],
    ['a symbol', {s: Symbol('s')}, '/s', 'is a symbol'],
    ['a date', {d: new Date(0)}, '/d', 'not a plain object'],
    ['a map', {m: new Map()}, '/m', 'not a plain object'],
    ['bytes', {b: new Uint8Array(1)}, '/b', 'not a plain object'],
    ['a boxed string', {b: Object('x') as unknown}, '/b', 'not a plain object'],
    ['an instance', {e: new Error('x')}, '/e', 'not a plain object'],
    ['a cycle', cycle, '/self/deep/0', 'contains itself'],
    ['an array with a name', {named}, '/named', 'named properties'],
    ['a symbol key', {symbolKey}, '/symbolKey', 'symbol properties'],
    ['a hidden property', {hidden}, '/hidden', 'hidden'],
    ['a getter that throws', {throwing}, '/throwing/member', 'cannot be read'],
    ['a lone surrogate', {'a/b~c': 'x\ud800y'}, '/a~1b~0c', 'surrogate'],
    ['a hole after deeper values', {deep: {er: [1]}, list: Object.assign([], {length: 2})}, '/list', 'holes'],
    ['undefined after deeper values', [{deep: {er: [1]}}, {}, undefined], '/2', 'is undefined'],
    ['the same object twice, then a cycle', {one: named.slice(), two: cycle}, '/two/self/deep/0', 'contains itself'],
    ['a lone surrogate in a key', {'\udc00': 1}, '/\udc00', 'surrogate'],
  ])('%s', (_, value, pointer, reason) => {
    const found = refusal(value);
    expect(found.pointer).toBe(pointer);
    expect(found.message).toContain(reason);
  });

  test('more than 512 levels, and no fewer', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(canonicalJson(nested(512))).toHaveLength(1_025);
    expect(refusal(nested(513)).message).toContain('deeper than 512');
    expect(refusal(nested(5_000)).pointer).toBe('/0'.repeat(512));
  });

  test('shared objects that multiply without end', () => {
    let value: unknown = 'x'.repeat(100_000);
    for (let level = 0; level < 60; level += 1) value = [value, value];
    expect(refusal(value).message).toContain('longer than');
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

/** A second way to one form: entries instead of sorted objects. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  if (Array.isArray(value)) return ['array', ...value.map(sorted)];
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return ['object', ...entries.toSorted(([a], [b]) => (a < b ? -1 : 1))];
}

test('the number of values and of names is bounded, before any text is made of them', () => {
  expect(tryCanonicalJson([1, {a: [2]}], {values: 4, names: 1})).toEqual({ok: true, value: '[1,{"a":[2]}]'});
  expect(tryCanonicalJson([1, {a: [2]}], {values: 3, names: 1})).toMatchObject({
    problem: {message: 'the value at `/1/a` brings the whole to more than 3 values', tooMany: 'values'},
  });
  expect(tryCanonicalJson([{a: 1}, {b: 2}], {values: 9, names: 1})).toMatchObject({
    problem: {message: 'the value at `/1` brings the whole to more than 1 names', tooMany: 'names'},
  });
  const wide = Array.from({length: 3_000_000}, (_, index) => index);
  const before = performance.now();
  JSON.stringify(wide);
  const asText = performance.now() - before;
  const start = performance.now();
  expect(tryCanonicalJson({wide}, {values: 1000, names: 1})).toMatchObject({ok: false});
  expect(performance.now() - start).toBeLessThan(asText);
});

test('own values that are not JSON are a broken invariant', () => {
  expect(() => canonicalJson({a: undefined})).toThrow(expect.objectContaining({code: 'BROKEN_INVARIANT'}));
});
