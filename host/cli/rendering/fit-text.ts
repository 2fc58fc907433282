// Cuts or pads text to a number of terminal columns. Wide characters count as two and are never cut in half.
import {isPlain, textWidth} from './text-width.ts';

export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (isPlain(text)) return `${text.slice(0, Math.max(0, columns - 1))}…`;
  let fitted = '';
  let width = 0;
  for (const {segment} of new Intl.Segmenter().segment(text)) {
    const next = textWidth(segment);
    if (width + next > columns - 1) break;
    fitted += segment;
    width += next;
  }
  return `${fitted}…`;
}

export function padText(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const room = ' '.repeat(Math.max(0, columns - textWidth(text)));
  return align === 'left' ? text + room : room + text;
}
