import * as fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import {renderTable, type Column} from './render-table.ts';
import {createStyle, within} from './style.ts';

const plain = createStyle({colour: false, width: 40});

interface Row {
  readonly name: string;
  readonly text: string;
}

const columns: readonly Column<Row>[] = [
  {title: 'NAME', cell: ({name}) => name, shrinksTo: 6},
  {title: 'TEXT', cell: ({text}) => text, shrinksTo: 6},
];

describe('renderTable', () => {
  it('aligns columns and leaves no spaces at the ends of lines', () => {
    const rows = [
      {name: 'a', text: 'one'},
      {name: 'longer', text: ''},
    ];
    expect(renderTable(rows, columns, plain)).toBe('NAME    TEXT\na       one\nlonger');
  });

  it('cuts the widest column first, with a mark', () => {
    const lines = renderTable([{name: 'short', text: 'x'.repeat(100)}], columns, plain).split('\n');
    expect(lines[1]).toBe(`short  ${'x'.repeat(32)}…`);
  });

  it('aligns numbers to the right', () => {
    const numbers: readonly Column<number>[] = [
      {title: 'N', cell: String, align: 'right'},
      {title: 'X', cell: () => 'x'},
    ];
    expect(renderTable([7, 123], numbers, plain)).toBe('  N  X\n  7  x\n123  x');
  });

  it('colours only the text of a cell', () => {
    const coloured = createStyle({colour: true, width: 40});
    const painted: readonly Column<string>[] = [
      {title: 'A', cell: (row) => row, paint: () => coloured.good},
      {title: 'B', cell: () => 'b'},
    ];
    expect(renderTable(['x', 'yyy'], painted, coloured).split('\n')[1]).toBe('\u001b[32mx\u001b[39m    b');
  });

  it('lists the columns of each row where they do not fit side by side', () => {
    const fixed: readonly Column<Row>[] = [
      {title: 'NAME', cell: ({name}) => name},
      {title: 'ID', cell: ({text}) => text},
    ];
    const rows = [
      {name: 'a', text: 'x'.repeat(36)},
      {name: 'b', text: ''},
    ];
    expect(renderTable(rows, fixed, plain)).toBe(`NAME  a\nID    ${'x'.repeat(36)}\n\nNAME  b`);
    const wide = createStyle({colour: false, width: 42});
    expect(renderTable(rows, fixed, wide)).toBe(`NAME  ID\na     ${'x'.repeat(36)}\nb`);
  });

  it('fits the terminal for any content of the cells', () => {
    const text = fc.string({unit: 'grapheme', maxLength: 60});
    fc.assert(
      fc.property(fc.array(fc.record({name: text, text}), {maxLength: 5}), (rows) => {
        const lines = renderTable(rows, columns, plain).split('\n');
        expect(lines).toHaveLength(rows.length + 1);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40);
      }),
    );
  });
});

it('an indented table still fits the terminal', () => {
  const style = within(createStyle({colour: false, width: 30}), 2);
  const columns = [{title: 'NAME', cell: (row: string) => row, shrinksTo: 8}];
  const lines = renderTable(['x'.repeat(60)], columns, style).split('\n');
  expect(Math.max(...lines.map((line) => line.length)) + 2).toBe(30);
});
