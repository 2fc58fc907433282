import {expect, test} from 'vitest';
import {bearerToken, refuseForeign} from './guard-request.ts';

function codeFor(
  headers: Record<string, string>,
  hostsAllowed: readonly string[] = [],
  target = '/',
): string | undefined {
  const refusal = refuseForeign(new Headers(headers), hostsAllowed, target);
  return refusal && (refusal.body as {error: {code: string}}).error.code;
}

test.each(['localhost', 'LOCALHOST:1', '127.0.0.1:8787', '127.1.2.3', '[::1]', '[::1]:8787'])('lets %s in', (host) => {
  expect(codeFor({host})).toBeUndefined();
});

test.each([
  '',
  'evil.example',
  'evil.example:8787',
  'localhost.evil.example',
  'evil.example#localhost',
  'evil.example/localhost',
  'localhost@evil.example',
  'evil.example@localhost',
  '127.0.0.1.evil.example',
  '0.0.0.0',
  '[::2]',
  '10.0.0.1',
  'local host',
])('does not answer to %j', (host) => {
  expect(codeFor({host})).toBe('HOST_DENIED');
});

test('accepts a configured name with any port', () => {
  expect(codeFor({host: 'flow.internal:80'}, ['flow.internal'])).toBeUndefined();
  expect(codeFor({host: 'other.internal:80'}, ['flow.internal'])).toBe('HOST_DENIED');
});

test.each([
  ['http://localhost:1', undefined],
  ['https://localhost:1', undefined],
  ['http://localhost:2', 'ORIGIN_DENIED'],
  ['http://127.0.0.1:1', 'ORIGIN_DENIED'],
  ['https://evil.example', 'ORIGIN_DENIED'],
  ['null', 'ORIGIN_DENIED'],
  ['', 'ORIGIN_DENIED'],
])('origin %j at localhost:1 gives %s', (origin, code) => {
  expect(codeFor({host: 'localhost:1', origin})).toBe(code);
});

test.each([
  ['Bearer lf_a-B_9', 'lf_a-B_9'],
  ['bearer  abc', 'abc'],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  ['abc', undefined],
  [`Bearer ${'a'.repeat(257)}`, undefined],
])('the token of %j is %s', (authorization, token) => {
  expect(bearerToken(new Headers({authorization}))).toBe(token);
});

test('an address in the request line names the same server as `Host`', () => {
  const host = 'localhost:8787';
  expect(codeFor({host}, [], 'http://localhost:8787/v1/caller')).toBeUndefined();
  for (const target of ['http://evil.example/v1/caller', 'http://localhost:8787.evil.example/', 'evil.example:80', '*'])
    expect(codeFor({host}, [], target)).toBe('HOST_DENIED');
});
