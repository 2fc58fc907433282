// Aligns columns to fit the terminal. Of the columns that can shrink, the widest shrinks first. Where they do not fit side by side, each
// row becomes a list.
import {textWidth} from './text-width.ts';
import {cleanLine} from './clean-text.ts';
import {fitText, padText} from './fit-text.ts';
import type {Paint, Style} from './style.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): string;
  readonly align?: 'left' | 'right';
  /** Minimum width in columns. If absent, the column never shrinks. */
  readonly shrinksTo?: number;
  paint?(row: Row): Paint;
}

const gap = '  ';

export function renderTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], style: Style): string {
  const cells = rows.map((row) => columns.map((column) => cleanLine(column.cell(row))));
  const natural = columns.map(({title}, index) =>
    Math.max(textWidth(title), ...cells.map((line) => textWidth(line[index] ?? ''))),
  );
  const widths = shrink(natural, columns, style.tableWidth);
  if (lineWidth(widths) > style.tableWidth) return renderLists(rows, columns, style);
  const line = (texts: readonly string[], paints: readonly Paint[]): string =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const paint = paints[index] ?? ((plain: string) => plain);
        const fitted = fitText(text, width);
        return padText(fitted, width, columns[index]?.align).replace(fitted, () => paint(fitted));
      })
      .join(gap)
      .trimEnd();
  const titles = columns.map(({title}) => title);
  return [
    line(
      titles,
      Array.from(titles, () => style.dim),
    ),
    ...rows.map((row, index) =>
      line(
        cells[index] ?? [],
        columns.map((column) => column.paint?.(row) ?? ((plain: string) => plain)),
      ),
    ),
  ].join('\n');
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
}

/** A line for each column with a value. The terminal wraps what is too long: names are copied from here. */
function renderLists<Row>(rows: readonly Row[], columns: readonly Column<Row>[], style: Style): string {
  const titleWidth = Math.max(...columns.map(({title}) => textWidth(title)));
  const lists = rows.map((row) =>
    columns.flatMap(({title, cell, paint}) => {
      const text = cleanLine(cell(row));
      if (text === '') return [];
      return [`${style.dim(padText(title, titleWidth))}${gap}${paint?.(row)(text) ?? text}`.trimStart()];
    }),
  );
  return lists.map((lines) => lines.join('\n')).join('\n\n');
}

function shrink<Row>(natural: readonly number[], columns: readonly Column<Row>[], width: number): readonly number[] {
  const widths = [...natural];
  let excess = lineWidth(widths) - width;
  while (excess > 0) {
    const shrinkable = columns.flatMap(({shrinksTo}, index) =>
      shrinksTo !== undefined && (widths[index] ?? 0) > shrinksTo ? [index] : [],
    );
    const widest = shrinkable.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
