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
  ['ms', {of: 'difference', limit: 0.2}, true],
  ['ms', {of: 'difference', limit: 0.19}, false],
  ['per_second', {of: 'ratio', limit: 5}, true],
  ['per_second', {of: 'ratio', limit: 5.1}, false],
  ['per_second', {of: 'value', limit: 0.3}, false],
])('in %s, %j holds: %s', (unit, bar, expected) => {
  expect(holds({...figure, unit, bar}, 'bar')).toBe(expected);
});

test('a bar on a ratio that was not measured, or is not a number, fails', () => {
  const {ratio: _, ...alone} = figure;
  const bar = {of: 'ratio', limit: 5} as const;
  expect(holds({...alone, bar}, 'bar')).toBe(false);
  expect(holds({...figure, bar, ratio: Number.NaN}, 'bar')).toBe(false);
  expect(holds({...figure, bar}, 'goal')).toBeUndefined();
});

test.each<[readonly Bar[], boolean]>([
  [
    [
      {of: 'ratio', limit: 5},
      {of: 'value', limit: 0.25},
    ],
    true,
  ],
  [
    [
      {of: 'ratio', limit: 4},
      {of: 'value', limit: 0.25},
    ],
    false,
  ],
  [
    [
      {of: 'ratio', limit: 5},
      {of: 'value', limit: 0.2},
    ],
    false,
  ],
])('of several bars all must hold: %j', (bar, expected) => {
  expect(holds({...figure, bar}, 'bar')).toBe(expected);
});

test('the table names figure, bar or goal, and result', () => {
  const rate: Figure = {id: 'b', title: 'a rate', unit: 'per_second', runs: 3, p50: 12_345.6};
  const table = figureTable([
    {...figure, bar: {of: 'ratio', limit: 6}, goal: {of: 'ratio', limit: 4}},
    {...figure, title: 'another', bar: {of: 'ratio', limit: 3}},
    {...rate, goal: {of: 'value', limit: 10_000}},
    {
      ...rate,
      title: 'two bars',
      bar: [
        {of: 'value', limit: 10_000},
        {of: 'ratio', limit: 0.6},
      ],
    },
    {...rate, title: 'losses', unit: 'count', p50: 0},
    {...rate, title: 'memory', unit: 'mib', p50: 10.26, goal: {of: 'value', limit: 10}},
  ]);
  expect(table.split('\n')).toEqual([
    '               p50  baseline   ratio                  bar',
    'a thing     250 µs     50 µs  5.00 ×                ≤ 6 ×  holds',
    'another     250 µs     50 µs  5.00 ×                ≤ 3 ×  FAILS',
    'a rate    12,346/s                        goal ≥ 10,000/s  reached',
    'two bars  12,346/s                    ≥ 10,000/s, ≥ 0.6 ×  FAILS',
    'losses           0',
    'memory    10.3 MiB                        goal ≤ 10.0 MiB  missed',
    '',
    'Baselines:',
    '  a thing: bare',
    '  another: bare',
  ]);
});
