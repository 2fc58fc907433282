// Messages on real sockets, read by a parser of others.
import {createSocket} from 'node:dgram';
import {once} from 'node:events';
import {createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {createServer as createTlsServer} from 'node:tls';
import {createRequire} from 'node:module';
import {generate} from 'selfsigned';
import {expect, onTestFinished, test} from 'vitest';
import {callEvent} from '../calls/call-event.ts';
import {exampleCall} from '../calls/example-call.fixture.ts';
import {openSyslog} from './open-syslog.ts';
import {syslogAddressOf} from './syslog-address.ts';
import {syslogMessage} from './syslog-message.ts';

interface ParsedMessage {
  readonly ts?: Date;
  readonly message?: string;
}

/** The package has no types. */
const parse = createRequire(import.meta.url)('nsyslog-parser') as (text: string) => ParsedMessage;
const {signal} = new AbortController();
const event = callEvent(exampleCall());
const message = syslogMessage(event, {host: 'tools.example', processId: 7});

test('a message is one of RFC 5424, and contains the event', () => {
  const parsed = parse(message.toString());
  expect(parsed).toMatchObject({
    type: 'RFC5424',
    facilityval: 13,
    levelval: 6,
    host: 'tools.example',
    appName: 'lumenflow',
    pid: '7',
    messageid: 'CALL',
  });
  expect(parsed.ts?.toISOString()).toBe(exampleCall().started.timestamp);
  expect(JSON.parse(parsed.message?.replace(/^.*?\{/u, '{') ?? '')).toEqual(JSON.parse(JSON.stringify(event)));
});

test('text of callers cannot end a message, or add one', () => {
  const call = exampleCall({by: 'eve\n<13>1 - - - - - - forged', tool_name: 'a\u0000b'});
  const text = syslogMessage(callEvent(call), {host: 'a b\n', processId: 7}).toString();
  expect(text).not.toMatch(/[\u0000-\u001f]/u);
  expect(text.split(' ')[2]).toBe('ab');
});

test('datagrams arrive by UDP', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sender = openSyslog({transport: 'udp', host: '127.0.0.1', port: server.address().port});
  onTestFinished(sender.close);
  const received = once(server, 'message');
  expect(await sender.deliver([message], signal)).toBe('delivered');
  expect((await received)[0]).toEqual(message);
});

test('by TCP each message has its length before it, and a connection that ended is opened again', async () => {
  const {server, frames, sockets} = await listen(createServer());
  const sender = openSyslog({transport: 'tcp', host: '127.0.0.1', port: portOf(server)});
  onTestFinished(sender.close);
  await sender.deliver([message, Buffer.from('é')], signal);
  await expect.poll(frames).toEqual([message.toString(), 'é']);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => sockets.size).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await sender.deliver([Buffer.from('again')], signal);
  await expect.poll(frames).toEqual([message.toString(), 'é', 'again']);
});

test('TLS requires a certificate of a known authority', async () => {
  const {cert, private: key} = await generate([{name: 'commonName', value: 'localhost'}], {
    keySize: 2_048,
    extensions: [{name: 'subjectAltName', altNames: [{type: 2, value: 'localhost'}]}],
  });
  const {server, frames} = await listen(createTlsServer({cert, key}));
  const address = {transport: 'tls', host: 'localhost', port: portOf(server)} as const;
  const unknown = openSyslog(address);
  onTestFinished(unknown.close);
  await expect(unknown.deliver([message], signal)).rejects.toThrow(/self-signed/u);
  const known = openSyslog(address, {ca: cert});
  onTestFinished(known.close);
  await known.deliver([message], signal);
  await expect.poll(frames).toEqual([message.toString()]);
});

test('a TLS server that never replies to the handshake is left when the host closes', async () => {
  const {server, sockets} = await listen(createServer());
  const sender = openSyslog({transport: 'tls', host: '127.0.0.1', port: portOf(server)});
  onTestFinished(sender.close);
  const closing = new AbortController();
  const delivery = sender.deliver([message], closing.signal);
  await expect.poll(() => sockets.size).toBe(1);
  closing.abort();
  await expect(delivery).rejects.toThrow('closing');
  await expect.poll(() => sockets.size).toBe(0);
});

test.each([
  ['tcp://log.example', {transport: 'tcp', host: 'log.example', port: 601}],
  ['tls://log.example:80/', {transport: 'tls', host: 'log.example', port: 80}],
  ['udp://[2001:db8::1]:5514', {transport: 'udp', host: '2001:db8::1', port: 5_514}],
  ['log.example:514', undefined],
  ['http://log.example', undefined],
  ['tcp://user:secret@log.example', undefined],
  ['tcp://log.example/path', undefined],
  ['tcp://log.example:99999', undefined],
])('%s is an address, or rejected', (text, address) => {
  expect(syslogAddressOf(text)).toEqual(address);
});

interface Listening {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  frames(): readonly string[];
}

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  let received = Buffer.alloc(0);
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
  };
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.on(server instanceof createTlsServer().constructor ? 'secureConnection' : 'connection', accept);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return {server, sockets, frames: () => framesOf(received)};
}

function framesOf(bytes: Buffer): readonly string[] {
  const space = bytes.indexOf(' ');
  if (space === -1) return [];
  const end = space + 1 + Number(bytes.subarray(0, space).toString());
  return [bytes.subarray(space + 1, end).toString(), ...framesOf(bytes.subarray(end))];
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
