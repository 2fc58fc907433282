// Finds the matching lines in the text of one file, with their context lines.
import {cutText, splitLines} from './text-content.ts';
import type {FindInLine} from './find-in-line.ts';

const lineBytesMax = 1000;

export interface SearchMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** The line without its end; cut to 1,000 bytes. */
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface SearchedText {
  readonly path: string;
  readonly text: string;
  readonly context_lines: number;
  readonly matches_max: number;
}

export function searchText({path, text, ...bounds}: SearchedText, find: FindInLine): SearchMatch[] {
  const lines = splitLines(text).map((line) => line.replace(/\r?\n$/, ''));
  const shown = (from: number, to: number): string[] =>
    lines.slice(Math.max(0, from), to).map((line) => cutText(line, lineBytesMax));
  const matches: SearchMatch[] = [];
  for (const [index, line] of lines.entries()) {
    if (matches.length >= bounds.matches_max) break;
    const at = find(line);
    if (at < 0) continue;
    matches.push({
      path,
      line: index + 1,
      column: at + 1,
      text: shown(index, index + 1).join(''),
      ...(bounds.context_lines > 0 && {
        before: shown(index - bounds.context_lines, index),
        after: shown(index + 1, index + 1 + bounds.context_lines),
      }),
    });
  }
  return matches;
}
