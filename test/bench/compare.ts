// Measures something against its baseline: both in turn, run by run, so that other load on the machine affects both.
import type {Figure, Measured, Unit} from './figure.ts';
import {median, quantile} from './statistics.ts';

/** One run: the time of each operation in milliseconds, or one rate. */
export type Sampler = () => Promise<readonly number[]>;

export interface Comparison extends Pick<Figure, 'id' | 'title' | 'bar' | 'goal'> {
  readonly unit: Unit;
  readonly runs: number;
  readonly sample: Sampler;
  readonly baseline?: {readonly title: string; readonly sample: Sampler};
}

export async function compare(comparison: Comparison): Promise<Figure> {
  const {baseline, sample, runs, ...named} = comparison;
  // The first run of each only warms up.
  await baseline?.sample();
  await sample();
  const own: Measured[] = [];
  const base: Measured[] = [];
  const measureBase = async (): Promise<void> => {
    if (baseline) base.push(measured(await baseline.sample()));
  };
  for (let run = 0; run < runs; run += 1) {
    // The order alternates, so that a machine that becomes slower favours neither.
    if (run % 2 === 0) await measureBase();
    own.push(measured(await sample()));
    if (run % 2 === 1) await measureBase();
  }
  return {
    ...named,
    runs,
    ...middle(own),
    ...(baseline && {
      baseline: {title: baseline.title, ...middle(base)},
      ratio: median(own.map(({p50}, run) => p50 / (base[run]?.p50 ?? Number.NaN))),
    }),
  };
}

function measured(values: readonly number[]): Measured {
  return values.length === 1 ? {p50: median(values)} : {p50: median(values), p95: quantile(values, 0.95)};
}

function middle(runs: readonly Measured[]): Measured {
  const tails = runs.flatMap(({p95}) => p95 ?? []);
  const p50 = median(runs.map((run) => run.p50));
  return tails.length === 0 ? {p50} : {p50, p95: median(tails)};
}
