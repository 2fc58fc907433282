// A server of this package listens, and its address.
import {once} from 'node:events';
import type {Http2Server} from 'node:http2';
import {isIP, type AddressInfo} from 'node:net';

/** Port 0 selects a free one. */
export async function listenOn(server: Http2Server, hostname: string, port: number): Promise<string> {
  server.listen(port, hostname);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return `http://${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${address.port}`;
}
