// Reads the host out of the head of an HTTP/1 request, as strictly as a server that must not be fooled.

export type HeadReading =
  /** It may still become a request; the first `harmless` bytes may go on: they are part of its first line at most. */
  | {readonly kind: 'incomplete'; readonly harmless: number}
  | {readonly kind: 'not_http'}
  | {readonly kind: 'malformed'; readonly problem: string}
  /** `hosts`: every host the request names, in lower case without port. */
  | {readonly kind: 'read'; readonly hosts: readonly string[]};

const headBytesMax = 64 * 1024;
const methodLengthMax = 32;
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

export function readRequestHead(bytes: Buffer): HeadReading {
  // Servers pass over empty lines before a request.
  const start = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  if (start < 0) return bytes.length > headBytesMax ? {kind: 'not_http'} : {kind: 'incomplete', harmless: bytes.length};
  const lineEnd = bytes.indexOf(0x0a, start);
  const line = bytes.toString('latin1', start, lineEnd < 0 ? Math.min(bytes.length, start + headBytesMax) : lineEnd);
  if (!mayBecomeRequest(line)) return {kind: 'not_http'};
  if (lineEnd < 0) {
    return bytes.length > headBytesMax ? {kind: 'not_http'} : {kind: 'incomplete', harmless: bytes.length};
  }
  if (!/\sHTTP\/\d/i.test(line)) return {kind: 'not_http'};
  const text = bytes.toString('latin1', start);
  const end = /\n\r?\n/.exec(text);
  if (end === null) {
    if (text.length > headBytesMax) return {kind: 'malformed', problem: 'its head is too long'};
    return {kind: 'incomplete', harmless: 0};
  }
  return readHead(text.slice(0, end.index));
}

function mayBecomeRequest(line: string): boolean {
  const space = line.search(/[ \t]/);
  const method = space < 0 ? line.replace(/\r$/, '') : line.slice(0, space);
  return method.length <= methodLengthMax && token.test(method);
}

function readHead(head: string): HeadReading {
  const [requestLine = '', ...lines] = head.split('\n').map((line) => line.replace(/\r$/, ''));
  const parts = requestLine.split(' ');
  const [method = '', target = '', version = ''] = parts;
  if (parts.length !== 3 || !/^HTTP\/1\.[01]$/.test(version)) {
    return {
      kind: 'malformed',
      problem: version.startsWith('HTTP/2') ? 'HTTP/2 without TLS' : 'its first line is malformed',
    };
  }
  const headers = lines.map((line) => /^([^:]*):(.*)$/.exec(line));
  if (!headers.every((header) => header !== null && token.test(header[1] ?? ''))) {
    return {kind: 'malformed', problem: 'a header is malformed'};
  }
  const authorities = headers.flatMap((header) =>
    /^host$/i.test(header?.[1] ?? '') ? [(header?.[2] ?? '').trim()] : [],
  );
  if (authorities.length === 0) return {kind: 'malformed', problem: 'it names no host'};
  const hosts = [...authorities, ...authorityOf(method, target)].map(hostIn);
  const named = hosts.filter((host) => host !== undefined);
  return named.length < hosts.length
    ? {kind: 'malformed', problem: 'a host in it is malformed'}
    : {kind: 'read', hosts: named};
}

/** A target that names a host goes before the header. */
function authorityOf(method: string, target: string): readonly string[] {
  if (method === 'CONNECT') return [target];
  return target.startsWith('/') || target === '*' ? [] : [/^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? ''];
}

function hostIn(authority: string): string | undefined {
  return /^([a-z0-9._-]+?)\.?(?::\d{1,5})?$/.exec(authority.toLowerCase())?.[1];
}
