// A server's text for lists that people read: one line without escape sequences and characters that change the direction of text.
const textMax = 500;

export function plainText(text: string): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '');
  // Never cuts within a character.
  return plain.slice(0, textMax).replace(/[\uD800-\uDBFF]$/u, '');
}
