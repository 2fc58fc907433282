import {expect, test} from 'vitest';
import {exceededBound} from './exceeded-bound.ts';

/** Long enough to be counted. */
const padded = (value: object): Buffer => Buffer.from(JSON.stringify({padding: 'x'.repeat(70_000), value}));
const keys = (count: number): object => Object.fromEntries(Array.from({length: count}, (_, at) => [`key ${at}`, 1]));

test.each<[string, object, number, number]>([
  ['names', {a: 1, b: {c: 1}}, 5, 6],
  ['an array', [1, 'a', [true], {}], 2, 8],
  ['an empty array and object', [[], {}], 2, 5],
  ['text that looks like JSON', ['{"a":1,"b":[2]}', '\\', '\\"', '":,[{'], 2, 7],
])('%s: is exceeded by one name or value more only', async (_, value, names, values) => {
  expect(await exceededBound(padded(value), {names, values})).toBeUndefined();
  expect(await exceededBound(padded(value), {names: names - 1, values})).toBe('names');
  expect(await exceededBound(padded(value), {names, values: values - 1})).toBe('values');
});

test('small texts are not counted, and a text without an end has one', async () => {
  expect(await exceededBound(Buffer.from('{"a":1}'), {names: 0, values: 0})).toBeUndefined();
  expect(await exceededBound(Buffer.from(`"${'\\'.repeat(70_001)}`), {names: 0, values: 1})).toBeUndefined();
});

test('a million elements and 300,000 keys are found before they are parsed', async () => {
  const bounds = {names: 20_000, values: 100_000};
  expect(await exceededBound(padded(keys(300_000)), bounds)).toBe('names');
  expect(await exceededBound(padded(Array.from({length: 1_000_000}, (_, at) => at)), bounds)).toBe('values');
});

test('others get their turns while a long text is counted', async () => {
  const text = padded(Array.from({length: 90_000}, (_, at) => `${at} ${'x'.repeat(50)}`));
  let turns = 0;
  let isCounted = false;
  const count = (): void => {
    turns += 1;
    if (!isCounted) setImmediate(count);
  };
  setImmediate(count);
  await exceededBound(text, {names: 20_000, values: 100_000});
  isCounted = true;
  expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / (512 * 1024)));
});
