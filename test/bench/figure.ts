// One measured figure, as in `--json`, and whether it meets its bars.

/** Less is better but of things done in a second. */
export type Unit = 'ms' | 'mib' | 'count' | 'per_second';

/** What the figure must reach: of its ratio to the baseline, of its difference from it, or of itself. */
export interface Bar {
  readonly of: 'ratio' | 'difference' | 'value';
  readonly limit: number;
}

export interface Measured {
  /** Of the medians of all runs, the median. */
  readonly p50: number;
  /** Of the 95th percentiles of all runs, the median; absent for rates. */
  readonly p95?: number;
}

export interface Figure extends Measured {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly runs: number;
  readonly baseline?: Measured & {readonly title: string};
  /** Of p50 to the baseline's, for each run; the median of all runs. */
  readonly ratio?: number;
  /** The present bars; all must be met. */
  readonly bar?: Bar | readonly Bar[];
  /** What is aimed at. */
  readonly goal?: Bar;
}

/** Bars or goals, as a list. */
export function barsOf(figure: Figure, kind: 'bar' | 'goal'): readonly Bar[] {
  return [figure[kind] ?? []].flat();
}

/** Undefined when there is no such bar. */
export function holds(figure: Figure, kind: 'bar' | 'goal'): boolean | undefined {
  const bars = barsOf(figure, kind);
  return bars.length === 0 ? undefined : bars.every((bar) => meetsBar(figure, bar));
}

function meetsBar(figure: Figure, bar: Bar): boolean {
  const {p50, ratio, baseline} = figure;
  const measured = {ratio, difference: baseline && p50 - baseline.p50, value: p50}[bar.of];
  if (measured === undefined) return false;
  return figure.unit === 'per_second' ? measured >= bar.limit : measured <= bar.limit;
}
