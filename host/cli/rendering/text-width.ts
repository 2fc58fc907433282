// How many columns of a terminal a text takes.
import stringWidth from 'string-width';

const plain = /^[ -~]*$/;

/** Whether each character is printable ASCII, as in most texts: it takes one column, and is easily cut. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** To measure what is not plain loads what many a command does without. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}
