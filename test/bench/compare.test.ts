import {expect, test} from 'vitest';
import {compare} from './compare.ts';
import {holds, type Bar, type Figure} from './figure.ts';
import {figureTable} from './figure-table.ts';

/** Gives the runs one after the other, and writes down its name for each. */
function script(name: string, runs: readonly (readonly number[])[], played: string[] = []) {
  const left = [...runs];
  return async () => {
    played.push(name);
    return left.shift() ?? [];
  };
}

test('warms up once, then runs both in turn, and gives medians of the rest', async () => {
  const played: string[] = [];
  const figure = await compare({
    id: 'a',
    title: 'a thing',
    unit: 'ms',
    runs: 3,
    sample: script('own', [[900], [2, 4], [6, 6], [40, 40]], played),
    baseline: {title: 'bare', sample: script('bare', [[900], [1, 1], [2, 2], [10, 10]], played)},
  });
  expect(played.join(' ')).toBe('bare own bare own own bare bare own');
  expect(figure).toMatchObject({p50: 6, ratio: 3, runs: 3, baseline: {title: 'bare', p50: 2, p95: 2}});
  expect(figure).not.toHaveProperty('sample');
});

test('the ratio is of each run to its own baseline, so a machine that slows down moves it not', async () => {
  const {ratio} = await compare({
    id: 'a',
    title: 'a thing',
    unit: 'ms',
    runs: 3,
    sample: script('own', [[1], [2], [20], [200]]),
    baseline: {title: 'bare', sample: script('bare', [[1], [1], [10], [100]])},
  });
  expect(ratio).toBe(2);
});

const figure: Figure = {
  id: 'a',
  title: 'a thing',
  unit: 'ms',
  runs: 3,
  p50: 0.25,
  p95: 12,
  ratio: 5,
  baseline: {title: 'bare', p50: 0.05},
};

test.each<[Figure['unit'], Bar, boolean]>([
  ['ms', {of: 'ratio', limit: 5}, true],
  ['ms', {of: 'ratio', limit: 4.9}, false],
  ['ms', {of: 'value', limit: 0.25}, true],
  ['ms', {of: 'value', limit: 0.2}, false],
  ['per_second', {of: 'ratio', limit: 5}, true],
  ['per_second', {of: 'ratio', limit: 5.1}, false],
  ['per_second', {of: 'value', limit: 0.3}, false],
])('in %s, %j holds: %s', (unit, bar, expected) => {
  expect(holds({...figure, unit}, bar)).toBe(expected);
});

test('a bar on a ratio that was not measured, or came out as none, does not hold', () => {
  const {ratio: _, ...alone} = figure;
  expect(holds(alone, {of: 'ratio', limit: 5})).toBe(false);
  expect(holds({...figure, ratio: Number.NaN}, {of: 'ratio', limit: 5})).toBe(false);
  expect(holds(figure, undefined)).toBeUndefined();
});

test('the table names figure, bar, goal and result', () => {
  const rate: Figure = {id: 'b', title: 'a rate', unit: 'per_second', runs: 3, p50: 12_345.6};
  const table = figureTable([
    {...figure, bar: {of: 'ratio', limit: 6}, goal: {of: 'ratio', limit: 4}},
    {...figure, title: 'another', bar: {of: 'ratio', limit: 3}},
    {...rate, goal: {of: 'value', limit: 10_000}},
  ]);
  expect(table.split('\n')).toEqual([
    '              p50      p95  baseline p50   ratio       bar        goal  result',
    'a thing    250 µs  12.0 ms         50 µs  5.00 ×  ≤ 6.00 ×    ≤ 4.00 ×  holds, goal not reached',
    'another    250 µs  12.0 ms         50 µs  5.00 ×  ≤ 3.00 ×              FAILS',
    'a rate   12,346/s                                           ≥ 10,000/s  goal reached',
    '',
    'Baselines:',
    '  a thing: bare',
    '  another: bare',
  ]);
});
