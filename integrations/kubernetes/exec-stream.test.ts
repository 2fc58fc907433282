// Answers of an API server to the handshake of a stream, byte by byte.
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {KubeConfig} from '@kubernetes/client-node';
import {afterEach, expect, test} from 'vitest';
import {ExecStream} from './exec-stream.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** `answer`: to the request of the handshake. */
async function open(answer: (request: string, socket: Socket) => void): Promise<ExecStream> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => answer(request.toString(), socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = new KubeConfig();
  config.loadFromClusterAndUser({name: 'test', server: address, skipTLSVerify: true}, {name: 'host'});
  const target = {namespace: 'calls', pod: 'pod', container: 'call', command: ['true']};
  return await ExecStream.open({config, server: new URL(address), ...target});
}

function accepted(request: string): string {
  const key = /^sec-websocket-key: (.*)\r$/im.exec(request)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`];
  return ['HTTP/1.1 101 Switching Protocols', ...lines, 'Sec-WebSocket-Protocol: v4.channel.k8s.io', '', ''].join(
    '\r\n',
  );
}

/** A whole binary message of a server. */
function message(channel: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(0x82, text.length + 1, channel), Buffer.from(text)]);
}

test('output that arrives together with the answer to the handshake is read', async () => {
  const stream = await open((request, socket) => {
    socket.write(Buffer.concat([Buffer.from(accepted(request)), message(1, 'out'), message(2, 'err')]));
  });
  const [bytes] = (await once(stream, 'data')) as [Buffer];
  expect(bytes.toString()).toBe('out');
  expect(stream.said).toBe('err');
  stream.destroy();
  await stream.over;
});

test('a refused handshake names the status, and its connection is closed', async () => {
  let closed: Promise<unknown> | undefined;
  const opened = open((_, socket) => {
    closed = once(socket, 'close');
    socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 1000\r\n\r\n');
  });
  await expect(opened).rejects.toThrow('it returned the status 403');
  await closed;
});

test('a stream is over once the server has closed it, after everything was read', async () => {
  const stream = await open((request, socket) => {
    socket.end(Buffer.concat([Buffer.from(accepted(request)), message(1, 'last')]));
  });
  const read: Buffer[] = [];
  for await (const bytes of stream as AsyncIterable<Buffer>) read.push(bytes);
  expect(Buffer.concat(read).toString()).toBe('last');
  await stream.over;
});
