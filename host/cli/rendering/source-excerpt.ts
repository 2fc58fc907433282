// Renders the lines around a source location, with a mark under the column.
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {cleanLine} from './clean-text.ts';
import {fitText} from './fit-text.ts';
import type {Style} from './style.ts';

/**
 * `where` is `file:line:column` with a file relative to `root`. Returns undefined for any other location or an unreadable file.
 */
export function sourceExcerpt(where: string, root: string, style: Style): string | undefined {
  const [, file, lineText, columnText] = /^(.*?):(\d+):(\d+)$/u.exec(where) ?? [];
  if (file === undefined) return undefined;
  const [line, column] = [Number(lineText), Number(columnText)];
  const lines = readLines(resolve(root, file));
  if (lines[line - 1] === undefined) return undefined;
  const gutter = String(line).length;
  // The text before the mark must keep its width.
  const shown = [line - 1, line].flatMap((number) => {
    const text = lines[number - 1];
    if (text === undefined) return [];
    return [
      `${style.dim(`${String(number).padStart(gutter)} |`)} ${fitText(cleanLine(text.replaceAll('\t', ' ')), style.width - gutter - 8)}`,
    ];
  });
  const mark = `${' '.repeat(gutter)} ${style.dim('|')} ${' '.repeat(column - 1)}${style.bad('^')}`;
  return [...shown, ...(column < style.width - gutter - 8 ? [mark] : [])].join('\n');
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/u);
  } catch {
    // The excerpt is optional: the location is always reported.
    return [];
  }
}
