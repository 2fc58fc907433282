// Figures as a table for people, in 100 columns: the measurement, its baseline, and whether it meets the bar.
import {barsOf, holds, type Bar, type Figure, type Unit} from './figure.ts';

const headings = ['', 'p50', 'baseline', 'ratio', 'bar', ''];

export function figureTable(figures: readonly Figure[]): string {
  const rows = [headings, ...figures.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const against = figures.flatMap(({title, baseline}) => (baseline ? [`  ${title}: ${baseline.title}`] : []));
  return [...lines, ...(against.length > 0 ? ['', 'Baselines:', ...against] : [])].join('\n');
}

/** Words to the left, numbers to the right. */
function isText(column: number): boolean {
  return column === 0 || column === headings.length - 1;
}

function cellsOf(figure: Figure): readonly string[] {
  const {title, unit, p50, baseline, ratio} = figure;
  return [
    title,
    valueText(p50, unit),
    baseline === undefined ? '' : valueText(baseline.p50, unit),
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    barText(figure),
    resultText(figure),
  ];
}

/** A goal is shown if there is no bar yet. */
function barText(figure: Figure): string {
  const sign = figure.unit === 'per_second' ? '≥' : '≤';
  const textOf = (bars: readonly Bar[]): string =>
    bars.map((bar) => `${sign} ${limitText(bar, figure.unit)}`).join(', ');
  const [bars, goals] = [barsOf(figure, 'bar'), barsOf(figure, 'goal')];
  return bars.length > 0 || goals.length === 0 ? textOf(bars) : `goal ${textOf(goals)}`;
}

function limitText({of, limit}: Bar, unit: Unit): string {
  if (of === 'ratio') return `${limit} ×`;
  return of === 'difference' ? `+${valueText(limit, unit)}` : valueText(limit, unit);
}

function resultText(figure: Figure): string {
  const bar = holds(figure, 'bar');
  if (bar !== undefined) return bar ? 'holds' : 'FAILS';
  const goal = holds(figure, 'goal');
  return goal === undefined ? '' : goal ? 'reached' : 'missed';
}

function valueText(value: number, unit: Unit): string {
  if (unit === 'per_second') return `${Math.round(value).toLocaleString('en')}/s`;
  if (unit === 'count') return value.toLocaleString('en');
  if (unit === 'mib') return `${value.toFixed(1)} MiB`;
  return value < 1 ? `${(value * 1_000).toFixed(0)} µs` : `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
