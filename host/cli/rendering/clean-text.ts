// Makes text from tools, files and other people safe to show: what a terminal would act on becomes visible instead.

/** Control characters but line breaks and tabs, and those that turn the direction of writing. */
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Line breaks and tabs stay. */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(active, (character) => escapeOf(character));
}

/** For one cell or line: line breaks and tabs become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/[\n\t]+/g, ' ');
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
