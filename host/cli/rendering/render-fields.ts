// Renders aligned `name  value` lines and wraps long values.
import {textWidth} from './text-width.ts';
import wrapAnsi from 'wrap-ansi';
import {padText} from './fit-text.ts';
import type {Style} from './style.ts';

/** Omits fields with an undefined value. Values can contain colours and line breaks, so clean them first. */
export function renderFields(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  style: Style,
  indent = 0,
): string {
  const shown = fields.flatMap(([name, value]) => (value === undefined ? [] : [{name, value}]));
  const column = Math.max(0, ...shown.map(({name}) => textWidth(name))) + 2;
  const lead = ' '.repeat(indent);
  return shown
    .map(({name, value}) => {
      const lines = wrapText(value, style.width - indent - column).split('\n');
      return lines
        .map((line, index) => `${lead}${index === 0 ? style.dim(padText(name, column)) : ' '.repeat(column)}${line}`)
        .join('\n');
    })
    .join('\n');
}

/** Wraps lines at words. Splits a word only if it is longer than a line. Keeps the indentation. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, Math.max(20, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const indent = /^ */u.exec(line)?.[0] ?? '';
  return indent + wrapAnsi(line.slice(indent.length), columns - indent.length, {hard: false});
}
