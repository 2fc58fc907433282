// Sends messages to a syslog server: datagrams by UDP; by TCP and TLS one connection, with octet counting (RFC 6587, RFC 5425).
import {createSocket, type Socket as UdpSocket} from 'node:dgram';
import {connect, isIP, isIPv6, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';
import type {Deliver} from '../delivery/delivery-queue.ts';
import type {SyslogAddress} from './syslog-address.ts';

export interface SyslogSender {
  readonly deliver: Deliver<Buffer>;
  close(): void;
}

export interface SyslogOptions {
  /** Certificates that a TLS server may be signed with, in PEM; default those of Node. */
  readonly ca?: string | undefined;
  readonly timeoutMs?: number;
}

export function openSyslog(address: SyslogAddress, options: SyslogOptions = {}): SyslogSender {
  return address.transport === 'udp' ? openDatagrams(address) : openStream(address, options);
}

function openDatagrams({host, port}: SyslogAddress): SyslogSender {
  let socket: UdpSocket | undefined;
  const open = (): UdpSocket => {
    if (socket) return socket;
    socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.on('error', () => undefined);
    return socket.unref();
  };
  return {
    async deliver(messages) {
      for (const message of messages) {
        await new Promise<void>((resolve, reject) => {
          open().send(message, port, host, (error) => (error ? reject(error) : resolve()));
        });
      }
      return 'delivered';
    },
    close: () => socket?.close(),
  };
}

function openStream(address: SyslogAddress, {ca, timeoutMs = 10_000}: SyslogOptions): SyslogSender {
  let opened: Promise<Socket> | undefined;

  async function open(signal: AbortSignal): Promise<Socket> {
    opened ??= connectTo(address, {ca, timeoutMs, signal});
    try {
      const socket = await opened;
      // A server that went away closes the connection, and what is written afterwards is lost.
      if (!socket.destroyed && socket.writable) return socket;
      opened = connectTo(address, {ca, timeoutMs, signal});
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  return {
    async deliver(messages, signal) {
      const socket = await open(signal);
      const frames = messages.flatMap((message) => [Buffer.from(`${message.length} `), message]);
      await written(socket, Buffer.concat(frames), {timeoutMs, signal});
      return 'delivered';
    },
    close: () =>
      void opened?.then(
        (socket) => socket.end(),
        () => undefined,
      ),
  };
}

/** Resolves once the system has accepted all bytes. */
async function written(
  socket: Socket,
  bytes: Buffer,
  {timeoutMs, signal}: {readonly timeoutMs: number; readonly signal: AbortSignal},
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    const late = setTimeout(() => fail(new Error('the syslog server does not read')), timeoutMs);
    const abort = (): void => fail(new Error('closing'));
    signal.addEventListener('abort', abort, {once: true});
    socket.write(bytes, (error) => {
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
      if (error) fail(error);
      else resolve();
    });
  });
}

async function connectTo(
  {transport, host, port}: SyslogAddress,
  {ca, timeoutMs, signal}: Pick<SyslogOptions, 'ca'> & {readonly timeoutMs: number; readonly signal: AbortSignal},
): Promise<Socket> {
  const isTls = transport === 'tls';
  // TLS has no name for an address (RFC 6066).
  const name = isIP(host) === 0 && {servername: host};
  const socket = isTls ? connectTls({host, port, ...name, ...(ca !== undefined && {ca})}) : connect({host, port});
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    const late = setTimeout(() => fail(new Error('the syslog server does not accept connections')), timeoutMs);
    const abort = (): void => fail(new Error('closing'));
    signal.addEventListener('abort', abort, {once: true});
    socket.once('error', fail);
    socket.once('close', () => {
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
    });
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
      socket.off('error', fail);
      resolve();
    });
  });
  socket.on('error', () => socket.destroy());
  // What the server sends is discarded, so that its end is noticed.
  return socket.resume().unref();
}
