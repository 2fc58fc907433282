// The server of a worker before a request is authenticated: connections, and requests that arrive while it closes.
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {connect as connectSecurely} from 'node:tls';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {NonceCache} from '../signatures/nonce-cache.ts';
import {ownCertificate} from '../testing/own-certificate.fixture.ts';
import {valueOf} from '../testing/value-of.fixture.ts';
import {serveWorker, type ServedWorker, type TlsFiles} from './serve-worker.ts';

async function serve(tls?: TlsFiles): Promise<ServedWorker> {
  const options = {
    host: '127.0.0.1',
    port: 0,
    tls,
    ownKeys: () => [],
    hostKeys: () => new Map(),
    nonces: new NonceCache({startedAt: 0, newestCreated: 0, keepNewestCreated: () => undefined}),
    now: Date.now,
    connectionsMax: 10,
  };
  const served = valueOf(await serveWorker(options, {} as never));
  onTestFinished(() => served.close());
  return served;
}

const head = 'GET /v1/worker HTTP/1.1\r\nhost: worker\r\n';

function received(socket: Socket): () => string {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return () => text;
}

describe.each([false, true])('with TLS: %s', (isSecure) => {
  async function open(url: string): Promise<Socket> {
    const port = Number(new URL(url).port);
    const socket = isSecure
      ? connectSecurely({port, host: '127.0.0.1', rejectUnauthorized: false})
      : connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, isSecure ? 'secureConnect' : 'connect');
    return socket;
  }

  test('half-sent requests do not keep others out', async () => {
    const served = await serve(isSecure ? await ownCertificate('127.0.0.1') : undefined);
    const kept: Socket[] = [];
    for (let count = 0; count < 30; count += 1) {
      const socket = await open(served.url);
      socket.write(head);
      received(socket);
      kept.push(socket);
    }
    const socket = await open(served.url);
    const text = received(socket);
    socket.write(`${head}\r\n`);
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 401 /u));
    await vi.waitFor(() => expect(kept.filter(({destroyed}) => destroyed).length).toBeGreaterThan(19));
  });
});

test('a connection that is established but not yet accepted when the worker closes gets a reply', async () => {
  const served = await serve();
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  const text = received(socket);
  const ended = once(socket, 'close');
  socket.write(`${head}\r\n`);
  // The system establishes it here, without the event loop.
  await new Promise((resolve) => process.nextTick(resolve));
  const closing = served.close();
  await ended;
  expect(text()).toMatch(/^HTTP\/1\.1 401 /u);
  await closing;
});
