// Standard base64 with padding, for bytes inside signed notes. The kernel cannot use Buffer.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index;
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    text += left > 1 ? alphabet.charAt((group >> 6) & 63) : '=';
    text += left > 2 ? alphabet.charAt(group & 63) : '=';
  }
  return text;
}

/** Undefined when the text is not exactly what `encodeBase64` gives for some bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/u.test(text)) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let index = 0; index * 4 < text.length; index += 1) {
    const sextet = (offset: number): number => Math.max(0, alphabet.indexOf(text.charAt(index * 4 + offset)));
    const group = (sextet(0) << 18) | (sextet(1) << 12) | (sextet(2) << 6) | sextet(3);
    bytes.set([group >> 16, (group >> 8) & 255, group & 255].slice(0, bytes.length - index * 3), index * 3);
  }
  return encodeBase64(bytes) === text ? bytes : undefined;
}
