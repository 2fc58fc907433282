// E-mail to real mail servers, of which some refuse, are not encrypted, or never answer.
import {once} from 'node:events';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {generate} from 'selfsigned';
import {expect, onTestFinished, test} from 'vitest';
import type {EmailMessage} from './email-message.ts';
import {sendEmail, type EmailSending} from './send-email.ts';
import {startMailServer} from './start-mail-server.fixture.ts';

const message: EmailMessage = {
  from: 'lumenflow@mail.example',
  to: ['ann@mail.example', 'bob@mail.example'],
  subject: 'Approval needed: fäll\r\nBcc: eve@mail.example',
  text: 'Request: apr-1\n.\nRequested by: agent\n',
  messageId: '<msg_2@mail.example>',
  inReplyTo: '<msg_1@mail.example>',
  date: '2026-01-02T03:04:05.000Z',
};

const base = {
  message,
  sign_in: undefined,
  allowed: new Set(['loopback'] as const),
  signal: new AbortController().signal,
} satisfies Partial<EmailSending>;

async function certificate(): Promise<{readonly key: string; readonly cert: string}> {
  const {private: key, cert} = await generate([{name: 'commonName', value: 'mail.example'}], {
    keyType: 'ec',
    extensions: [{name: 'subjectAltName', altNames: [{type: 7, ip: '127.0.0.1'}]}],
  });
  return {key, cert};
}

const signIn = (password: string) => ({user: 'lumenflow', password});

test('a message arrives as plain text, with its ids, and without headers of others', async () => {
  const {server, received} = await startMailServer();
  expect(await sendEmail({...base, server})).toEqual({state: 'delivered', detail: 'status 250'});
  const [email] = received;
  expect(email).toMatchObject({from: message.from, to: message.to, user: undefined, isEncrypted: false});
  const [head = '', body = ''] = email?.content.split('\r\n\r\n') ?? [];
  const headers = head.replaceAll('\r\n ', ' ').split('\r\n');
  expect(headers).toEqual(
    expect.arrayContaining([
      'From: LumenFlow <lumenflow@mail.example>',
      'To: ann@mail.example, bob@mail.example',
      'Message-ID: <msg_2@mail.example>',
      'In-Reply-To: <msg_1@mail.example>',
      'References: <msg_1@mail.example>',
      'Date: Fri, 02 Jan 2026 03:04:05 +0000',
      'Auto-Submitted: auto-generated',
      'Content-Type: text/plain; charset=utf-8',
    ]),
  );
  expect(headers.filter((line) => /^(?:bcc|x-mailer)/iu.test(line))).toEqual([]);
  expect(body).toBe('Request: apr-1\r\n.\r\nRequested by: agent\r\n');
});

test('smtps encrypts and signs in; a certificate of an unknown authority is not accepted', async () => {
  const {key, cert} = await certificate();
  const {server, received} = await startMailServer({secure: true, key, cert});
  const sign_in = signIn('right');
  expect(await sendEmail({...base, server, sign_in})).toEqual({
    state: 'failed',
    detail: 'the connection was lost, or the certificate of the mail server is not trusted',
    isFinal: false,
  });
  expect(received).toEqual([]);
  expect(await sendEmail({...base, server, sign_in, ca: cert})).toMatchObject({state: 'delivered'});
  expect(received).toMatchObject([{user: 'lumenflow', isEncrypted: true}]);
});

test('beyond loopback, smtp uses STARTTLS, and sends nothing to a server without it', async () => {
  const {key, cert} = await certificate();
  const sign_in = signIn('right');
  const good = await startMailServer({key, cert});
  const server = {...good.server, isLoopback: false};
  expect(await sendEmail({...base, server, sign_in, ca: cert})).toMatchObject({state: 'delivered'});
  expect(good.received).toMatchObject([{user: 'lumenflow', isEncrypted: true}]);
  let attempts = 0;
  const plain = await startMailServer({
    onAuth: (_auth, _session, answer) => {
      attempts += 1;
      answer(null, {user: 'any'});
    },
  });
  const failed = await sendEmail({...base, server: {...plain.server, isLoopback: false}, sign_in, ca: cert});
  expect(failed).toMatchObject({state: 'failed', detail: expect.stringContaining('could not be encrypted')});
  expect([attempts, plain.received]).toEqual([0, []]);
});

test('a wrong password sends nothing, and is tried again', async () => {
  const {server, received} = await startMailServer();
  expect(await sendEmail({...base, server, sign_in: signIn('wrong')})).toEqual({
    state: 'failed',
    detail: 'status 535: the mail server did not accept the user and the password',
    isFinal: false,
  });
  expect(received).toEqual([]);
});

test('a server without sign-in gets no message that should be signed in', async () => {
  const {server, received} = await startMailServer({disabledCommands: ['AUTH', 'STARTTLS']});
  expect(await sendEmail({...base, server, sign_in: signIn('right')})).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('did not accept the user'),
    isFinal: false,
  });
  expect(received).toEqual([]);
});

test.each([
  ['refused', 'status 550: the mail server refused the sender or all recipients', true],
  ['busy', 'status 450: the mail server refused the sender or all recipients', false],
])('a server that answers for %s@ is reported without the address', async (name, detail, isFinal) => {
  const {server, received} = await startMailServer();
  const to = [`${name}@mail.example`];
  expect(await sendEmail({...base, server, message: {...message, to}})).toEqual({state: 'failed', detail, isFinal});
  expect(received).toEqual([]);
});

test('one refused recipient of two is reported, and the other gets the message once', async () => {
  const {server, received} = await startMailServer();
  const to = ['ann@mail.example', 'refused@mail.example'];
  expect(await sendEmail({...base, server, message: {...message, to}})).toEqual({
    state: 'delivered',
    detail: 'status 250: 1 of 2 recipients were refused',
  });
  expect(received.map((email) => email.to)).toEqual([['ann@mail.example']]);
});

test.each(['when the host closes', 'after its time'])('a server that never answers is left %s', async (when) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const server = {host: '127.0.0.1', port: (silent.address() as AddressInfo).port, isTls: false, isLoopback: true};
  const closing = new AbortController();
  const sent = sendEmail({
    ...base,
    server,
    signal: closing.signal,
    ...(when === 'after its time' && {timeoutMs: 200}),
  });
  if (when === 'when the host closes') {
    await expect.poll(() => sockets.size).toBe(1);
    closing.abort();
  }
  expect(await sent).toEqual({state: 'failed', detail: 'no answer in time', isFinal: false});
  await expect.poll(() => sockets.size).toBe(0);
});

test('addresses are judged as those of HTTP messages, and a closed port is reported', async () => {
  const server = {host: '10.0.0.1', port: 25, isTls: false, isLoopback: false};
  const allowed = new Set(['public'] as const);
  expect(await sendEmail({...base, server, allowed})).toEqual({
    state: 'failed',
    detail: 'private address',
    isFinal: true,
  });
  expect(await sendEmail({...base, server: {...server, host: 'localhost'}, allowed})).toEqual({
    state: 'failed',
    detail: 'the name resolves to an address that is not allowed',
    isFinal: false,
  });
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const {port} = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await sendEmail({...base, server: {...server, host: '127.0.0.1', port}})).toMatchObject({
    detail: 'ECONNREFUSED',
  });
});
