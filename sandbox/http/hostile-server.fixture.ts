// What a server that is broken, or is another program, sends in place of a response.
import {createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';

const head = 'HTTP/1.1 200 OK\r\n';

export const hostileReplies: readonly (readonly [string, (socket: Socket) => unknown])[] = [
  [
    'another protocol',
    (s) => s.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nx'),
  ],
  ['no HTTP', (s) => s.write('\0\x01garbage\r\n\r\n')],
  ['nothing', (s) => s.destroy()],
  ['a part of a head', (s) => s.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ['a head of 1 MiB', (s) => s.write(`${head}x: ${'a'.repeat(1024 ** 2)}\r\n\r\n`)],
  ['a chunk without a length', (s) => s.write(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n\r\n`)],
  ['a body that stops', (s) => s.write(`${head}Content-Length: 100\r\n\r\n{}`)],
  ['a body without a length that stops', (s) => s.write(`${head}\r\n{}`)],
  ['a body that ends early', (s) => s.end(`${head}Content-Length: 100\r\n\r\n{}`)],
  ['a body that is cut off', (s) => s.write(`${head}Content-Length: 100\r\n\r\n{}`, () => s.destroy())],
  ['an endless body', endless],
];

function endless(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(1024 ** 2, ' ')));
  };
  socket.on('drain', more).write(`${head}\r\n`);
  more();
}

/** Listens on the path, or on a free port of this machine, which is returned, until the test has ended. */
export async function hostileServer(reply: (socket: Socket) => unknown, path?: string): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => reply(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(path, resolve);
  });
  return path === undefined ? (server.address() as AddressInfo).port : 0;
}
