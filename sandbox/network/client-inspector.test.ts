// Connections that say more than one thing: each request is judged, however it is cut into packets.
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createClientInspector} from './client-inspector.ts';

interface Inspected {
  readonly forwarded: string;
  readonly problem: string | undefined;
}

/** What a server behind the inspector gets of packets, and what stopped them. */
function inspect(packets: readonly Buffer[]): Inspected {
  const inspector = createClientInspector('api.test');
  let forwarded = '';
  let isFree = false;
  for (const packet of packets) {
    if (isFree) {
      forwarded += packet.toString('latin1');
      continue;
    }
    const passage = inspector.take(packet);
    if (passage.kind === 'refuse') return {forwarded, problem: passage.problem};
    for (const part of passage.parts) forwarded += part.toString('latin1');
    ({isFree} = passage);
  }
  return {forwarded, problem: isFree ? undefined : inspector.end()};
}

/** All at once, and byte by byte, which must not differ in what is refused. */
function said(text: string): Inspected {
  const bytes = Buffer.from(text, 'latin1');
  const whole = inspect([bytes]);
  expect(inspect([...bytes].map((byte) => Buffer.from([byte]))).problem).toBe(whole.problem);
  return whole;
}

const get = (host: string, more = '') => `GET / HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
const post = (body: string, header = `Content-Length: ${body.length}`) =>
  `POST / HTTP/1.1\r\nHost: api.test\r\n${header}\r\n\r\n${body}`;
const chunked = (body: string) => post(body, 'Transfer-Encoding: chunked');

test.each([
  ['requests one after the other', get('api.test') + get('api.test:80') + get('API.test')],
  ['a body that looks like a request', post(get('evil.test')) + get('api.test')],
  [
    'chunks that look like requests',
    chunked(`${get('evil.test').length.toString(16)};a="b"\r\n${get('evil.test')}\r\n0\r\nX: y\r\n\r\n`) +
      get('api.test'),
  ],
  ['empty lines between requests', `${get('api.test')}\r\n\r\n${get('api.test')}`],
  [
    'an upgrade, and then another protocol',
    `${get('api.test', 'Upgrade: websocket\r\n')}\x81\x85abcd${get('evil.test')}`,
  ],
  [
    'a tunnel to itself, and then another protocol',
    `CONNECT api.test:443 HTTP/1.1\r\nHost: api.test\r\n\r\nSSH-2.0-x\r\n`,
  ],
  ['a body without an end yet', post('abc', 'Content-Length: 100')],
])('%s: all of it goes on', (_, text) => {
  expect(said(text)).toEqual({forwarded: text, problem: undefined});
});

const evil = get('evil.test');
test.each([
  ['kept alive', get('api.test'), evil, 'is for `evil.test`'],
  ['after a body', post('body'), evil, 'is for `evil.test`'],
  ['after chunks', chunked('3\r\nabc\r\n0\r\n\r\n'), evil, 'is for `evil.test`'],
  ['after an upgrade that the server may not have made', get('api.test', 'Upgrade: x\r\n'), evil, 'is for `evil.test`'],
  ['in a tunnel', 'CONNECT api.test:80 HTTP/1.1\r\nHost: api.test\r\n\r\n', evil, 'is for `evil.test`'],
  ['after a NUL', get('api.test'), `\x00${evil}`, 'its first line is malformed'],
  ['as another protocol', get('api.test'), `\x01${evil}`, 'the data after its HTTP request is not an HTTP request'],
  [
    'as TLS in a tunnel',
    'CONNECT api.test:80 HTTP/1.1\r\nHost: api.test\r\n\r\n',
    '\x16\x03\x01\x00\x04\x02\x00\x00\x00',
    'its TLS hello is malformed',
  ],
  ['HTTP/2', get('api.test', 'Upgrade: h2c\r\n'), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/2 without TLS'],
])('a second request for another host is refused: %s', (_, first, second, problem) => {
  const {forwarded, problem: met} = said(first + second);
  expect(met).toContain(problem);
  expect(forwarded).not.toContain('evil');
  // The same connection with an honest second request, or with none, is allowed.
  expect(said(first).problem).toBeUndefined();
});

test.each([
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 5'],
  ['a list of lengths', 'Content-Length: 5, 5'],
  ['a signed length', 'Content-Length: +5'],
  ['a length beyond numbers', 'Content-Length: 9999999999999999'],
  ['length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
  ['an encoding that is not plainly chunked', 'Transfer-Encoding: gzip, chunked'],
  ['two encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
])('%s: the end of the request is ambiguous', (_, headers) => {
  expect(said(post('12345', headers)).problem).toContain('its end is ambiguous');
});

test('HTTP/1.0 has no chunks, and a lone carriage return does not end a line', () => {
  expect(said('POST / HTTP/1.0\r\nHost: api.test\r\nTransfer-Encoding: chunked\r\n\r\n').problem).toContain(
    'ambiguous',
  );
  expect(said('GET / HTTP/1.1\r\nHost: api.test\r\nX: y\rHost: evil.test\r\n\r\n').problem).toContain(
    'a header is malformed',
  );
});

test.each([
  ['no size', 'x\r\n'],
  ['a size beyond numbers', '1234567890123\r\n'],
  ['a line feed alone', '3\nabc\r\n'],
  ['more than its size', '3\r\nabcd\r\n'],
  ['a trailer that is none', '0\r\nGET / HTTP/1.1\r\n\r\n'],
  ['a line without an end', `3;${'a'.repeat(9000)}`],
])('chunks with %s are refused', (_, body) => {
  expect(said(chunked(body)).problem).toContain('the end of its body is ambiguous');
});

test('a request that ends in its head is refused, and its headers are not forwarded', () => {
  expect(said(`${get('api.test')}GET / HTTP/1.1\r\nHost: api`)).toEqual({
    forwarded: get('api.test'),
    problem: 'it ended before it named a host',
  });
});

test('a method may have any length: the request that follows is judged', () => {
  expect(said(`${'A'.repeat(40)} / HTTP/1.1\r\nHost: evil.test\r\n\r\n`).problem).toContain('`evil.test`');
});

test('honest requests arrive whole however they are split; a dishonest one among them never arrives', () => {
  const request = fc.oneof(
    fc.constant(get('api.test')),
    fc.string({maxLength: 40}).map((body) => post(Buffer.from(body).toString('latin1'))),
    fc
      .array(fc.string({minLength: 1, maxLength: 20}), {maxLength: 4})
      .map((parts) => parts.map((part) => Buffer.from(part).toString('latin1')))
      .map((parts) =>
        chunked(`${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`),
      ),
  );
  fc.assert(
    fc.property(
      fc.array(request, {maxLength: 5}),
      fc.array(fc.nat(400), {maxLength: 8}),
      fc.boolean(),
      (requests, cuts, isHonest) => {
        const honest = requests.join('');
        const bytes = Buffer.from(isHonest ? honest : honest + evil, 'latin1');
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const inspected = inspect(
          places
            .slice(1)
            .map((end, index) => bytes.subarray(places[index], end))
            .filter(({length}) => length > 0),
        );
        if (isHonest) expect(inspected).toEqual({forwarded: honest, problem: undefined});
        else expect(inspected.forwarded).not.toContain('evil');
      },
    ),
  );
});
