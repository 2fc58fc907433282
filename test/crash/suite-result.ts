// The result of a suite: how many points were tried, how many passed, and figures over all of them.
import type {CrashFigure, CrashPoint} from './crash-point.ts';

export interface SuiteResult {
  readonly suite: string;
  readonly tried: number;
  readonly passed: number;
  readonly seconds: number;
  readonly figures: readonly CrashFigure[];
  readonly failed: readonly CrashPoint[];
}

export function suiteResult(suite: string, points: readonly CrashPoint[], seconds: number): SuiteResult {
  const failed = points.filter(({problems}) => problems.length > 0);
  const figures = points.reduce<readonly CrashFigure[]>((sums, point) => (point.figures ?? []).reduce(added, sums), []);
  return {suite, tried: points.length, passed: points.length - failed.length, seconds, figures, failed};
}

function added(sums: readonly CrashFigure[], figure: CrashFigure): readonly CrashFigure[] {
  const known = sums.find(({title}) => title === figure.title);
  if (known === undefined) return [...sums, figure];
  const value = figure.over === 'sum' ? known.value + figure.value : Math.max(known.value, figure.value);
  return sums.map((sum) => (sum === known ? {...sum, value} : sum));
}

export function resultTable(results: readonly SuiteResult[]): string {
  const tried = results.reduce((sum, result) => sum + result.tried, 0);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const rows = [
    ['', 'points tried', 'passed', 'seconds'],
    ...[...results, {suite: 'all', tried, passed, seconds}].map((row) => [
      row.suite,
      String(row.tried),
      String(row.passed),
      row.seconds.toFixed(1),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  const figures = results.flatMap((result) =>
    result.figures.map(({title, value}) => `${result.suite}: ${title}: ${value}`),
  );
  return [...lines, ...(figures.length > 0 ? ['', ...figures] : [])].join('\n');
}
