// Receivers and mail servers that end a connection, or answer in another protocol, before they have answered.
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {postMessage} from './post-message.ts';
import {sendEmail} from './send-email.ts';

const allowed = new Set(['loopback'] as const);
const {signal} = new AbortController();

async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a mail server that resets each connection', async () => {
  const port = await listen((socket) => void setTimeout(() => socket.resetAndDestroy(), 5));
  const message = {
    from: 'lumenflow@mail.example',
    to: ['ann@mail.example'],
    subject: 'Approval needed',
    text: 'Request: apr-1',
    messageId: '<msg_2@mail.example>',
    inReplyTo: undefined,
    date: '2026-01-02T03:04:05.000Z',
  };
  const server = {host: '127.0.0.1', port, isTls: false, isLoopback: true};
  expect(await sendEmail({server, message, allowed, signal, sign_in: undefined})).toEqual({
    state: 'failed',
    detail: 'the connection was lost, or the certificate of the mail server is not trusted',
    isFinal: false,
  });
});

test('a receiver that switches to another protocol', async () => {
  const port = await listen((socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ),
  );
  const url = new URL(`http://127.0.0.1:${port}/`);
  expect(await postMessage({url, headers: {}, body: '{}', allowed, signal})).toEqual({
    state: 'failed',
    detail: 'no answer',
    isFinal: false,
  });
});
