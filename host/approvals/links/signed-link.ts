// Signed links by which one person, or one of a group, answers one request without signing in: HMAC-SHA256 with a key of the hosts.
import {failed, isIdentifier, ok, type Outcome} from '@lumenflow/kernel';
import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';

export interface SignedLink {
  /** Recorded with the answer: a link is used once. */
  readonly id: string;
  readonly request_id: string;
  /** The name of a person, or group:NAME. */
  readonly to: string;
  /** Seconds since the epoch. */
  readonly expires: number;
}

const domain = 'lumenflow-approval-link-v1';
const keyBytesMin = 32;

/** The environment variable has no usable key: the message says what to do. */
export class LinkKeyError extends Error {
  override readonly name = 'LinkKeyError';
}

/** Throws LinkKeyError. */
export function readLinkKey(name: string, env: Readonly<Record<string, string | undefined>>): Buffer {
  const text = env[name] ?? '';
  const key = Buffer.from(text, 'base64');
  if (/^[A-Za-z0-9+/]+={0,2}$/u.test(text) && key.length >= keyBytesMin) return key;
  const problem = text === '' ? 'is missing' : `is not at least ${keyBytesMin} bytes as base64`;
  throw new LinkKeyError(`the environment variable ${name} ${problem}: create one with \`openssl rand -base64 32\``);
}

export function newLinkId(): string {
  return `lnk-${randomBytes(12).toString('hex')}`;
}

export function signLink(key: Buffer, {id, request_id, to, expires}: SignedLink): string {
  const payload = Buffer.from(JSON.stringify([id, request_id, to, expires])).toString('base64url');
  return `${payload}.${signatureOf(key, payload).toString('base64url')}`;
}

/** The problem is a message for the person. Every wrong link has the same one. */
export function readLink(key: Buffer, text: string, nowMs: number): Outcome<SignedLink, string> {
  const invalid = failed('this link is not valid: ask for another one');
  const [, payload = '', signature = ''] = /^([\w-]{1,1024})\.([\w-]{43})$/u.exec(text) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(key, payload);
  // Base64url encodes a signature in several ways: only the issued one counts.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return invalid;
  if (given.toString('base64url') !== signature) return invalid;
  const [id, request_id, to, expires] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
  if (!isIdentifier(id) || !isIdentifier(request_id) || typeof to !== 'string' || typeof expires !== 'number')
    return invalid;
  if (expires * 1_000 <= nowMs) return failed('this link has expired: ask for another one');
  return ok({id, request_id, to, expires});
}

/** Binds a form to the browser that was shown it. */
export function formProof(key: Buffer, browser: string, link: string): string {
  return createHmac('sha256', key).update(`${domain}-form\n${browser}\n${link}`).digest('base64url');
}

function signatureOf(key: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(`${domain}\n${payload}`).digest();
}
