// The value of a response: JSON, text, or binary content; or the failure that it reports.
import {cutText, failed, ok, type Outcome} from '@lumenflow/kernel';
import {tryCanonicalJson, type ServiceReply} from '@lumenflow/kernel/adapters';
import {STATUS_CODES} from 'node:http';
import {isJson, plainType} from '../document/media-type.ts';
import {responseBytesMax, type HttpResponse} from './http-transport.ts';

/** Bytes of binary content, which grows by a third in base64. */
const binaryMax = 1024 * 1024;
/** Characters of a failure's body. */
const failureMax = 4_000;

const unavailable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface Reading {
  /** For messages. */
  readonly request: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Removes secrets. */
  hide(text: string): string;
}

export function readResponse(response: HttpResponse, {request, now, hide}: Reading): ServiceReply {
  const {status, content} = response;
  if (status >= 300) return statusFailure(response, {request, now, hide});
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    return invalid(`the response to ${request} has the content encoding ${encoding}, although none was accepted`);
  }
  const type = plainType(response.headers['content-type'] ?? '');
  if (content === undefined) return tooLarge(request, responseBytesMax);
  if (content.length === 0) return {ok: true, value: null};
  if (isJson(type)) return jsonValue(content, request);
  const text = type.startsWith('text/') || type.endsWith('xml') || type === '' ? decoded(content) : undefined;
  if (text !== undefined) return {ok: true, value: text};
  if (content.length > binaryMax) return tooLarge(request, binaryMax);
  const content_base64 = content.toString('base64');
  return {ok: true, value: {content_type: type, size_bytes: content.length, content_base64}};
}

function jsonValue(content: Buffer, request: string): ServiceReply {
  const parsed = parseJson(new TextDecoder().decode(content));
  return parsed.ok
    ? parsed
    : invalid(`the response to ${request} is not valid JSON, as its content type says: ${parsed.problem}`);
}

/** A value that can be recorded: it is not nested too deeply. */
function parseJson(text: string): Outcome<unknown, string> {
  try {
    const value = JSON.parse(text) as unknown;
    const written = tryCanonicalJson(value);
    return written.ok ? ok(value) : failed(written.problem.message);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function invalid(message: string): ServiceReply {
  return {ok: false, isUnavailable: false, failure: {code: 'UPSTREAM_FAILED', message}};
}

function decoded(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(content);
  } catch {
    // It is not text, in spite of its content type.
    return undefined;
  }
}

function tooLarge(request: string, max: number): ServiceReply {
  const message = `the response to ${request} is larger than ${max} bytes: ask for less, for example for one page`;
  return {ok: false, isUnavailable: false, failure: {code: 'OUTPUT_TOO_LARGE', message}};
}

function statusFailure({status, headers, content}: HttpResponse, {request, now, hide}: Reading): ServiceReply {
  const isUnavailable = unavailable.has(status);
  const retryAfterMs = delayOf(headers['retry-after'], now);
  // Hidden before it is cut, which could leave a part of a secret.
  const body = cutText(hide((content ?? Buffer.alloc(0)).toString('utf8')), failureMax);
  const remedy = remedyFor(status, retryAfterMs);
  return {
    ok: false,
    isUnavailable,
    retryAfterMs,
    failure: {
      code: 'UPSTREAM_FAILED',
      message: `${request} returned ${status} ${STATUS_CODES[status] ?? ''}`.trim(),
      details: {status, ...(body !== '' && {body: bodyOf(body)}), ...(remedy !== undefined && {remedy})},
    },
  };
}

/** JSON if it is complete. */
function bodyOf(text: string): unknown {
  const parsed = parseJson(text);
  // Otherwise a text for people, or cut.
  return parsed.ok ? parsed.value : text;
}

/** `Retry-After` is in seconds, or a date. */
function delayOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const delay = /^\d+$/u.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}

function remedyFor(status: number, retryAfterMs: number | undefined): string | undefined {
  if (status < 400)
    return 'the service redirects elsewhere, which is not followed: set `servers` of the pin to its new address';
  if (status === 401 || status === 403) return 'check the `credentials` of the pin, and the variables that they name';
  if (status === 404 || status === 410) return 'check the names and ids in the input';
  if (status === 429) return `retry in ${Math.ceil((retryAfterMs ?? 60_000) / 1_000)} s`;
  return status >= 500 ? 'the service itself failed: retry later' : 'correct the input, as the body says';
}
