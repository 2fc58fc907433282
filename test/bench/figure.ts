// One measured figure, as `--json` gives it, and whether it holds its bars.

/** Times in milliseconds, where less is better, or things done in a second, where more is. */
export type Unit = 'ms' | 'per_second';

/** What the figure must reach: of its ratio to the baseline, or of itself. */
export interface Bar {
  readonly of: 'ratio' | 'value';
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
  /** What must hold now. */
  readonly bar?: Bar;
  /** What is aimed at. */
  readonly goal?: Bar;
}

/** Undefined when there is no such bar. */
export function holds(figure: Figure, bar: Bar | undefined): boolean | undefined {
  if (bar === undefined) return undefined;
  const measured = bar.of === 'ratio' ? figure.ratio : figure.p50;
  if (measured === undefined) return false;
  return figure.unit === 'ms' ? measured <= bar.limit : measured >= bar.limit;
}
