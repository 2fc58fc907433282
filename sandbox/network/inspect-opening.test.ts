import {createServer} from 'node:net';
import {connect} from 'node:tls';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {inspectOpening} from './inspect-opening.ts';

/** The first bytes that Node's own TLS client sends. */
async function helloFor(servername: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', (bytes) => {
          client.destroy();
          server.close();
          resolve(bytes);
        }),
    );
    let client: ReturnType<typeof connect>;
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      client = connect({host: '127.0.0.1', port, servername});
      client.on('error', reject);
    });
  });
}

const text = (said: string) => inspectOpening(Buffer.from(said, 'latin1'), 'api.test').kind;
const refused = (said: Buffer | string) => {
  const opening = inspectOpening(Buffer.from(said as string), 'api.test');
  return opening.kind === 'refuse' ? opening.problem : opening.kind;
};

test('a TLS hello must name the listed server', async () => {
  expect(refused(await helloFor('api.test'))).toBe('pass');
  expect(refused(await helloFor('evil.test'))).toBe('its TLS hello names `evil.test`');
  expect(refused(await helloFor(''))).toBe('its TLS hello does not name a server');
});

test('a TLS hello that may hide another name is refused, even if it shows a listed one', async () => {
  const hello = await helloFor('api.test');
  for (const [kind, problem] of [
    [0xfe0d, 'hides the server name'],
    [0xffce, 'hides the server name'],
    [0xfafa, 'pass'],
  ] as const) {
    expect(refused(withExtension(hello, kind))).toContain(problem);
  }
});

/** The hello, with an extension of four bytes more. */
function withExtension(hello: Buffer, kind: number): Buffer {
  const changed = Buffer.concat([hello, Buffer.from([kind >> 8, kind & 255, 0, 4, 1, 2, 3, 4])]);
  let extensions = 5 + 4 + 34;
  extensions += 1 + changed.readUInt8(extensions);
  extensions += 2 + changed.readUInt16BE(extensions);
  extensions += 1 + changed.readUInt8(extensions);
  for (const at of [3, 7, extensions]) changed.writeUInt16BE(changed.readUInt16BE(at) + 8, at);
  return changed;
}

test('no byte of a hello is forwarded before it is read, however it is split', async () => {
  const hello = await helloFor('api.test');
  for (let length = 1; length < hello.length; length += 1) {
    expect(inspectOpening(hello.subarray(0, length), 'api.test')).toEqual({kind: 'more', harmless: 0});
  }
});

test('a hello in many records is read as one', async () => {
  for (const name of ['api.test', 'evil.test']) {
    const handshake = (await helloFor(name)).subarray(5);
    const records: Buffer[] = [];
    for (let at = 0; at < handshake.length; at += 7) {
      const part = handshake.subarray(at, at + 7);
      records.push(Buffer.from([22, 3, 1, 0, part.length]), part);
    }
    expect(inspectOpening(Buffer.concat(records), 'api.test').kind).toBe(name === 'api.test' ? 'pass' : 'refuse');
  }
});

test('a malformed hello is refused, never forwarded', async () => {
  const hello = await helloFor('evil.test');
  fc.assert(
    fc.property(fc.nat(hello.length - 2), fc.nat(255), (offset, byte) => {
      const broken = Buffer.from(hello);
      broken[offset + 1] = byte;
      expect(inspectOpening(broken, 'api.test').kind).not.toBe('pass');
    }),
  );
  expect(refused(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]))).toBe('its TLS hello is malformed');
});

test.each([
  'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n',
  'GET / HTTP/1.1\r\nAccept: */*\r\nhOsT:API.test.:8080\r\n\r\nbody',
  'GET http://api.test/x HTTP/1.1\nHost: api.test\n\n',
  'OPTIONS * HTTP/1.1\r\nHost: api.test\r\n\r\n',
])('%j is for the listed host', (request) => {
  expect(text(request)).toBe('request');
});

test.each([
  ['GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'is for `evil.test`'],
  ['\r\n\nGET / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'is for `evil.test`'],
  ['GET / HTTP/1.1\r\nHost: api.test\r\nHost: evil.test\r\n\r\n', 'is for `evil.test`'],
  ['GET http://evil.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n', 'is for `evil.test`'],
  ['GET http://api.test@evil.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n', 'one of its hosts is malformed'],
  ['CONNECT evil.test:443 HTTP/1.1\r\nHost: api.test\r\n\r\n', 'is for `evil.test`'],
  ['FOO / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'is for `evil.test`'],
  ['GET / HTTP/1.1\r\nHost : evil.test\r\nHost: api.test\r\n\r\n', 'a header is malformed'],
  ['GET / HTTP/1.1\r\nX: y\r\n Host: api.test\r\n\r\n', 'a header is malformed'],
  ['GET / HTTP/1.0\r\n\r\n', 'it does not name a host'],
  ['GET\t/ HTTP/1.1\r\nHost: api.test\r\n\r\n', 'its first line is malformed'],
  ['GET / HTTP/1.1 \r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  [' GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  ['\r\n\t GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  ['\0GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  ['GET\0/ HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  ['GET /\0 HTTP/1.1\r\nHost: api.test\r\n\r\n', 'its first line is malformed'],
  [' FOO / HTTP/1.1\r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  ['GET /\r\n', 'its first line is malformed'],
  ['get http://evil.test/\r\n', 'its first line is malformed'],
  ['GET / HTTP/1.1\rHost: evil.test\r\r', 'its first line is malformed'],
  ['GET / XHTTP/1.1\r\nHost: evil.test\r\n\r\n', 'its first line is malformed'],
  [`GET /${'a'.repeat(70_000)}`, 'its first line is malformed'],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/2 without TLS'],
  [`GET / HTTP/1.1\r\n${'x: y\r\n'.repeat(20_000)}`, 'its head is too long'],
])('%j is refused', (request, problem) => {
  expect(refused(request)).toContain(problem);
});

test('no byte beyond the first line is forwarded before a request is judged, however it is split', () => {
  const request = Buffer.from('\r\nPOST / HTTP/1.1\r\nA: b\r\nHost: evil.test\r\n\r\n');
  const line = request.indexOf('1.1\r\n') + 4;
  for (let length = 1; length < request.length; length += 1) {
    const opening = inspectOpening(request.subarray(0, length), 'api.test');
    expect(opening).toEqual({kind: 'more', harmless: length <= line ? length : 0});
  }
});

test.each([
  'SSH-2.0-OpenSSH_9.2\r\n',
  'EHLO me\r\n',
  '*1\r\n$4\r\nPING\r\n',
  '\x00\x00\x00\x08',
  'PING\r\n',
  '{"a":1}',
  // MySQL, PostgreSQL, DNS, a text with its length before it.
  '\x20\0\0\x01\x85\xae\x0f\0',
  '\0\0\0\x50\0\x03\0\0user\0me\0',
  '\0\x1d\xab\xcd\x01\0\0\x01',
  '\0\0\0\x20{"get": "/"}',
  'GET key\r\n',
])('%j is another protocol, and passes', (said) => {
  expect(text(said)).toBe('pass');
});

test('a few letters are forwarded immediately, even if the line never ends', () => {
  expect(inspectOpening(Buffer.from('ping'), 'api.test')).toEqual({kind: 'more', harmless: 4});
  expect(inspectOpening(Buffer.alloc(100, 'a'), 'api.test')).toEqual({kind: 'more', harmless: 100});
  expect(text('a'.repeat(70_000))).toBe('pass');
});

test('a lax request is not forwarded in parts either', () => {
  for (const said of [' GET / HTTP/1.1\r\n', '\0\0POST http://evil.test/', 'GET\0/ HTTP/1.1\r\n']) {
    const bytes = Buffer.from(said, 'latin1');
    for (let length = 1; length < bytes.length; length += 1) {
      const opening = inspectOpening(bytes.subarray(0, length), 'api.test');
      expect([said, length, opening.kind]).not.toEqual([said, length, 'pass']);
      if (opening.kind === 'more' && !said.startsWith('GET')) expect(opening.harmless).toBe(0);
    }
    expect(inspectOpening(bytes, 'api.test').kind).toBe('refuse');
  }
});
