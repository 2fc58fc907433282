// Bounds what a call prints to a terminal, where a person cannot read more. A file or a pipe gets all of it.
import {cutText} from '@lumenflow/kernel';
import type {Style} from './style.ts';

const charactersMax = 64 * 1024;

/** Colours are kept whole, because the cut is at the end of a line where there is one. */
export function headForTerminal(text: string, style: Style): string {
  if (!Number.isFinite(style.tableWidth) || text.length <= charactersMax) return text;
  const head = cutText(text, charactersMax);
  const end = head.lastIndexOf('\n');
  const shown = end > charactersMax / 2 ? head.slice(0, end) : head;
  const more = (text.length - shown.length).toLocaleString('en');
  return `${shown}\n${style.dim(`… ${more} more characters: add --json, or write the output to a file with > FILE`)}`;
}
