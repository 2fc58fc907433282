// Counts the terminal columns of a text.
import stringWidth from 'string-width';

const plain = /^[ -~]*$/;

/** Whether all characters are printable ASCII, as in most texts: each takes one column and can be cut easily. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** Measuring other text loads code that many commands do not need. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}
