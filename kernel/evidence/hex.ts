// Bytes as lower-case hex and back, without Buffer.

export function encodeHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** Undefined when the text is not lower-case hex of whole bytes. */
export function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/u.test(text)) return undefined;
  return Uint8Array.from({length: text.length / 2}, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}
