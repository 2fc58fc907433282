// File names are bytes. As in Python, each byte that does not decode as UTF-8 becomes a lone surrogate (U+DC80 to U+DCFF). Every
// name has therefore one text, and every such text one name.

const escapedByte = /[\u{DC80}-\u{DCFF}]/u;
const replacement = '\u{FFFD}';

export function textOfBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return !text.includes(replacement) || Buffer.from(text).equals(bytes) ? text : escapedText(bytes);
}

/** For a system call: the text itself if it is UTF-8. */
export function pathBytes(path: string): string | Buffer {
  if (!escapedByte.test(path)) return path;
  const parts = path.split(/([\u{DC80}-\u{DCFF}])/u);
  return Buffer.concat(
    parts.map((part) => (escapedByte.test(part) ? Buffer.of(part.charCodeAt(0) & 0xff) : Buffer.from(part))),
  );
}

/** Whether all its bytes are UTF-8. */
export function isText(path: string): boolean {
  return !escapedByte.test(path);
}

/** For people and for records: a byte that is not UTF-8 as `\xNN`. */
export function printablePath(path: string): string {
  return path.replaceAll(/[\u{DC80}-\u{DCFF}]/gu, (byte) => `\\x${(byte.charCodeAt(0) & 0xff).toString(16)}`);
}

function escapedText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? String.fromCharCode(0xdc00 | (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length);
    at += Math.max(length, 1);
  }
  return text;
}

/** The number of bytes of the character that begins there; 0 if none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    const one = bytes.subarray(at, at + length);
    if (Buffer.from(one.toString('utf8')).equals(one)) return length;
  }
  return 0;
}
