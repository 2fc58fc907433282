// Text cut or padded to a number of terminal columns. Wide characters count as two, and none is cut in half.
import stringWidth from 'string-width';

export function fitText(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let fitted = '';
  let width = 0;
  for (const {segment} of new Intl.Segmenter().segment(text)) {
    const next = stringWidth(segment);
    if (width + next > columns - 1) break;
    fitted += segment;
    width += next;
  }
  return `${fitted}…`;
}

export function padText(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const room = ' '.repeat(Math.max(0, columns - stringWidth(text)));
  return align === 'left' ? text + room : room + text;
}
