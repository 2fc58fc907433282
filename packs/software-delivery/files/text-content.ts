// Converts bytes to text and back without loss. Anything that is not exactly UTF-8 counts as binary. A byte order mark and CR are
// preserved.
import {ToolError} from '@lumenflow/pack-sdk';

/** Undefined for bytes that are not UTF-8 text. A NUL makes a file binary, as in ripgrep and git. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Throws ToolError INVALID_CONTENT for text that UTF-8 cannot encode and for invalid base64. */
export function encodeContent(content: string, encoding: 'utf-8' | 'base64'): Uint8Array {
  if (encoding === 'base64') {
    const bytes = Buffer.from(content, 'base64');
    if (bytes.toString('base64') === content) return new Uint8Array(bytes);
    throw new ToolError('INVALID_CONTENT', '`content` is not canonical base64 (with padding, without line breaks)');
  }
  if (/\p{Surrogate}/u.test(content)) {
    throw new ToolError('INVALID_CONTENT', '`content` contains a lone surrogate, which UTF-8 cannot encode');
  }
  return new TextEncoder().encode(content);
}

/** Lines with their line endings. A final line ending does not start another line. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The longest prefix of at most `bytesMax` bytes of UTF-8 that does not split a character. */
export function cutText(text: string, bytesMax: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes.subarray(0, end));
}
