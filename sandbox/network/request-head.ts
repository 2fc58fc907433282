// Reads the host and the length out of the head of an HTTP/1 request, as strictly as a server that must not be fooled.
import {mayBecomeLaxRequest, resemblesRequest} from './lax-request-line.ts';
import type {BodyLength} from './request-body.ts';

export type HeadReading =
  /** It may still become a request. The first `harmless` bytes may be forwarded: they are at most part of its first line. */
  | {readonly kind: 'incomplete'; readonly harmless: number}
  | {readonly kind: 'not_http'}
  | {readonly kind: 'malformed'; readonly problem: string}
  | {readonly kind: 'read'; readonly head: RequestHead};

export interface RequestHead {
  /** Every host that the request names, in lower case without port. */
  readonly hosts: readonly string[];
  /** Of the head itself, with the empty line after it. */
  readonly bytes: number;
  readonly body: BodyLength;
  /** Whether what follows the request may be another protocol: CONNECT, or an upgrade. */
  readonly maySwitch: boolean;
}

const headBytesMax = 64 * 1024;
const firstLine = 'its first line is malformed';
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

export function readRequestHead(bytes: Buffer): HeadReading {
  // Servers skip empty lines before a request.
  const start = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  if (start < 0) return bytes.length > headBytesMax ? {kind: 'not_http'} : {kind: 'incomplete', harmless: bytes.length};
  const lineEnd = bytes.indexOf(0x0a, start);
  const line = bytes.toString('latin1', start, lineEnd < 0 ? Math.min(bytes.length, start + headBytesMax) : lineEnd);
  const reading = readFirstLine(line, {isWhole: lineEnd >= 0, said: bytes.length});
  if (reading !== undefined) return reading;
  const text = bytes.toString('latin1', start, start + headBytesMax);
  const end = /\n\r?\n/.exec(text);
  if (end === null) {
    if (bytes.length - start >= headBytesMax) return {kind: 'malformed', problem: 'its head is too long'};
    return {kind: 'incomplete', harmless: 0};
  }
  return readHead(text.slice(0, end.index), start + end.index + end[0].length);
}

/** Undefined for a complete request line. `said`: the bytes received so far, with what precedes the line. */
function readFirstLine(
  line: string,
  {isWhole, said}: {readonly isWhole: boolean; readonly said: number},
): HeadReading | undefined {
  const resembles = resemblesRequest(line);
  const other: HeadReading = resembles ? malformed(firstLine) : {kind: 'not_http'};
  if (!mayBecomeRequest(line)) {
    return !resembles && !isWhole && mayBecomeLaxRequest(line) ? {kind: 'incomplete', harmless: 0} : other;
  }
  // Some servers accept a bare carriage return as the end of a line.
  if (resembles && /\r(?!$)/.test(line)) return other;
  if (!isWhole) return said > headBytesMax ? other : {kind: 'incomplete', harmless: said};
  return /\sHTTP\/\d/i.test(line) ? undefined : other;
}

function mayBecomeRequest(line: string): boolean {
  const space = line.search(/[ \t]/);
  return token.test(space < 0 ? line.replace(/\r$/, '') : line.slice(0, space));
}

function readHead(head: string, bytes: number): HeadReading {
  const [requestLine = '', ...lines] = head.split('\n').map((line) => line.replace(/\r$/, ''));
  const parts = requestLine.split(' ');
  const [method = '', target = '', version = ''] = parts;
  if (parts.length !== 3 || !/^HTTP\/1\.[01]$/.test(version) || !/^[\x21-\x7e\x80-\xff]+$/.test(target)) {
    return malformed(version.startsWith('HTTP/2') ? 'HTTP/2 without TLS' : firstLine);
  }
  const headers = lines.map((line) => /^([^:]*):([^\r\0]*)$/.exec(line));
  if (!headers.every((header) => header !== null && token.test(header[1] ?? ''))) {
    return malformed('a header is malformed');
  }
  const valuesOf = (name: string): readonly string[] =>
    headers.flatMap((header) => (header?.[1]?.toLowerCase() === name ? [(header[2] ?? '').trim()] : []));
  const authorities = valuesOf('host');
  if (authorities.length === 0) return malformed('it does not name a host');
  const hosts = [...authorities, ...authorityOf(method, target)].map(hostIn);
  const named = hosts.filter((host) => host !== undefined);
  if (named.length < hosts.length) return malformed('one of its hosts is malformed');
  const body = bodyLength(valuesOf('content-length'), valuesOf('transfer-encoding'), version);
  if (body === undefined) return malformed('its end is ambiguous');
  const maySwitch = method === 'CONNECT' || valuesOf('upgrade').length > 0;
  return {kind: 'read', head: {hosts: named, bytes, body, maySwitch}};
}

function malformed(problem: string): HeadReading {
  return {kind: 'malformed', problem};
}

/** Undefined if two servers could parse it differently: RFC 9112 section 6.3. */
function bodyLength(lengths: readonly string[], encodings: readonly string[], version: string): BodyLength | undefined {
  if (encodings.length > 0) {
    const isChunked = encodings.length === 1 && encodings[0]?.toLowerCase() === 'chunked';
    return isChunked && lengths.length === 0 && version === 'HTTP/1.1' ? 'chunked' : undefined;
  }
  const [length = '0', ...others] = lengths;
  return others.length === 0 && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** A host in the target takes precedence over the header. */
function authorityOf(method: string, target: string): readonly string[] {
  if (method === 'CONNECT') return [target];
  return target.startsWith('/') || target === '*' ? [] : [/^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? ''];
}

function hostIn(authority: string): string | undefined {
  return /^([a-z0-9._-]+?)\.?(?::\d{1,5})?$/.exec(authority.toLowerCase())?.[1];
}
