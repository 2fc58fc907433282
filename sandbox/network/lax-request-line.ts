// First lines that a strict server rejects and a lax one may accept as requests. They have spaces or control characters before or
// in them, or are of HTTP/0.9, which has no version. None of them may pass for another protocol.

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH'];
/** Characters that a lax server may treat as a space, or skip. */
const gap = String.raw`[\0\t\v\f\r ]`;
const plainRequest = new RegExp(String.raw`^${gap}*(?:${methods.join('|')})${gap}+(?:/|\*|https?:)`, 'i');
const versionInText = new RegExp(String.raw`^(?:${gap}|[\x21-\x7e])*HTTP/`, 'i');
/** So far only the beginning of a target. */
const beginning = new RegExp(String.raw`^${gap}*([A-Za-z]*)(${gap}*(?:h(?:t(?:t(?:ps?)?)?)?)?)$`, 'i');

/** A line, or its beginning. */
export function resemblesRequest(line: string): boolean {
  return plainRequest.test(line) || versionInText.test(line);
}

/**
 * Whether what follows may still make it resemble one: the first byte that cannot be part of one identifies a binary protocol.
 */
export function mayBecomeLaxRequest(line: string): boolean {
  const [, word = '', rest = ''] = beginning.exec(line) ?? [undefined, '-'];
  const method = word.toUpperCase();
  return rest === '' ? methods.some((known) => known.startsWith(method)) : methods.includes(method);
}
