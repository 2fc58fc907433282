import {once} from 'node:events';
import type {Server} from 'node:http';
import {connect, type AddressInfo, type Socket} from 'node:net';
import {afterEach, expect, test, vi} from 'vitest';
import {createBoundedServer, serverLimits, type ServerLimits} from './bounded-server.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(limits: Partial<ServerLimits>): Promise<number> {
  server = createBoundedServer(
    (request, response) => {
      if (request.url === '/slow') response.write('started\n');
      else response.end('done');
    },
    {...serverLimits, ...limits},
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function halfSent(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: 127'));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('half-sent requests do not keep others out', async () => {
  const port = await listen({connectionsMax: 10});
  const slow = await fetch(`http://127.0.0.1:${port}/slow`);
  const sockets = await Promise.all(Array.from({length: 30}, () => halfSent(port)));
  const answered = await fetch(`http://127.0.0.1:${port}/`, {headers: {connection: 'close'}});
  expect(await answered.text()).toBe('done');
  await vi.waitFor(() => expect(sockets.filter(({destroyed}) => destroyed).length).toBeGreaterThan(20), {
    timeout: 60_000,
  });
  // A request in progress is never closed for another one.
  const reader = slow.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('started\n');
  await reader?.cancel();
});

test('a connection that is in use is not closed for a new one', async () => {
  const port = await listen({connectionsMax: 2});
  const streams = await Promise.all([1, 2].map(() => fetch(`http://127.0.0.1:${port}/slow`)));
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  for (const stream of streams) await stream.body?.cancel();
});

test('a half-sent request is closed soon after its time', async () => {
  const port = await listen({headersTimeout: 100});
  const socket = await halfSent(port);
  socket.resume();
  await once(socket, 'close');
});

test('a connection stays open longer than a client computes between two requests', async () => {
  const port = await listen({});
  const {headers} = await fetch(`http://127.0.0.1:${port}/`);
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThanOrEqual(65);
});

test('a server that fails to accept a connection continues', async () => {
  const port = await listen({});
  server?.emit('error', new Error('accept ENOMEM'));
  server?.emit('error', new Error('accept ENOMEM'));
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});
