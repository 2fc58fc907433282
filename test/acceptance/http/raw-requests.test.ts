// Bytes that no client library sends: each gets an answer or the end of its connection, and the server continues.
import {connect} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeAll(async () => {
  http = await openHttpStage();
});
afterAll(() => http.close());

const call = 'POST /v1/tools/files:read HTTP/1.1\r\nhost: 127.0.0.1\r\n';
const health = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n';

/** The request, and the statuses of its answers. */
const requests: Readonly<Record<string, readonly [string, readonly number[]]>> = {
  'a request without more to come': [`${health}\r\n`, [200]],
  'a header of 1 MiB': [`${health}x: ${'a'.repeat(1024 * 1024)}\r\n\r\n`, [431]],
  'bytes that are not HTTP': ['\u0000\u0001\u00ff\r\n\r\n', [400]],
  'garbage after a request': [`${health}\r\n\u0000garbage\r\n\r\n`, [400]],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  'an expectation that does not exist': [`${call}expect: nonsense\r\ncontent-length: 2\r\n\r\n{}`, [417]],
  'a chunk with a length that is not a number': [`${call}transfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n`, [400]],
  'a chunk that is longer than a number can say': [
    `${call}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n{}`,
    [400],
  ],
  'two lengths': [`${call}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`, [400]],
  'a length and chunks': [`${call}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, [400]],
  'an upgrade': [`${health}connection: upgrade\r\nupgrade: websocket\r\n\r\n`, [200]],
  'a tunnel': ['CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', []],
  'a host that is not one': ['GET /healthz HTTP/1.1\r\nhost: [::bad\r\n\r\n', [400]],
  'a target that is not one': [`GET http://[::bad/ HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, [400]],
};

/** Until the server closes. `isHalf`: the client says that no more comes. */
async function exchange(bytes: string, isHalf: boolean): Promise<readonly number[]> {
  const text = await new Promise<string>((resolve) => {
    let received = '';
    const socket = connect({port: http.server.port, host: '127.0.0.1', allowHalfOpen: true});
    const isWhole = (): boolean => /HTTP\/1\.1 \d{3} /u.test(received);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (isWhole() && !isHalf) socket.destroy();
    });
    // A server that refuses resets a connection on which more arrives.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(received));
    if (isHalf) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
  });
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /gu)].map(([, status]) => Number(status));
}

describe.each([true, false])('half-closed: %s', (isHalf) => {
  test.each(Object.entries(requests))('%s', async (_what, [bytes, statuses]) => {
    expect(await exchange(bytes, isHalf)).toEqual(statuses);
    expect((await fetch(`${http.server.url}/healthz`)).status).toBe(200);
  });
});

test('a body that stops is refused before it was read, or when it ends', async () => {
  const [first] = await exchange(`${call}content-length: 1000\r\n\r\n{"a":`, true);
  expect(first).toBe(401);
  expect((await http.agent.post('/v1/tools/files:read')).status).toBe(200);
});

test('a client that waits to be asked for its body is asked, and answered', async () => {
  const [asked, answered] = await exchange(`${call}expect: 100-continue\r\ncontent-length: 10\r\n\r\n`, true);
  expect([asked, answered]).toEqual([100, 401]);
});
