// HTTP as bytes: what a hostile client may send, and no library would.
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** In order, and as often as they are listed. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface RawReply {
  /** Of the responses that arrived, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

export function rawBytes({method, target, headers, body}: RawRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

export async function openSocket(url: string): Promise<Socket> {
  const {hostname, port} = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes, says that no more will come, and returns what arrives until the other side closes. */
export async function sendRaw(url: string, bytes: Uint8Array | string): Promise<RawReply> {
  const socket = await openSocket(url);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  // A server that refuses may reset the connection while it is written to.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end(bytes);
  await closed;
  const text = Buffer.concat(parts).toString('latin1');
  return {statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/gu)].map(([, status]) => Number(status)), text};
}
