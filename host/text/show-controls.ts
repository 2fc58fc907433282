// Makes characters visible that a terminal or a browser would interpret: tools, files and other people provide these texts.

/** Control characters except line breaks and tabs, and characters that change the text direction. */
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Line breaks and tabs stay. */
export function showControls(text: string): string {
  return text.replaceAll(active, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
