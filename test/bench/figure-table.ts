// Figures as a table for people: what was measured, against what, and whether the bar holds.
import {holds, type Bar, type Figure, type Unit} from './figure.ts';

const headings = ['', 'p50', 'p95', 'baseline p50', 'ratio', 'bar', 'goal', 'result'];

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
  return [...lines, '', 'Baselines:', ...against].join('\n');
}

/** Words to the left, numbers to the right. */
function isText(column: number): boolean {
  return column === 0 || column === headings.length - 1;
}

function cellsOf(figure: Figure): readonly string[] {
  const {title, unit, p50, p95, baseline, ratio, bar, goal} = figure;
  return [
    title,
    valueText(p50, unit),
    p95 === undefined ? '' : valueText(p95, unit),
    baseline === undefined ? '' : valueText(baseline.p50, unit),
    ratio === undefined ? '' : ratioText(ratio),
    barText(bar, unit),
    barText(goal, unit),
    resultText(figure),
  ];
}

function resultText(figure: Figure): string {
  if (holds(figure, figure.bar) === false) return 'FAILS';
  const reached = holds(figure, figure.goal);
  const words = [
    ...(figure.bar === undefined ? [] : ['holds']),
    ...(reached === undefined ? [] : [reached ? 'goal reached' : 'goal not reached']),
  ];
  return words.join(', ');
}

function barText(bar: Bar | undefined, unit: Unit): string {
  if (bar === undefined) return '';
  const sign = unit === 'ms' ? '≤' : '≥';
  return `${sign} ${bar.of === 'ratio' ? ratioText(bar.limit) : valueText(bar.limit, unit)}`;
}

function ratioText(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function valueText(value: number, unit: Unit): string {
  if (unit === 'per_second') return `${Math.round(value).toLocaleString('en')}/s`;
  return value < 1 ? `${(value * 1_000).toFixed(0)} µs` : `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
