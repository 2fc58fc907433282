// Whether a server of a service can be reached: a connection, and for https a TLS handshake. It sends no request.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {HostNetwork} from '@lumenflow/sandbox';
import {connect, isIP} from 'node:net';
import {connect as connectSecurely} from 'node:tls';
import {entryOf} from './describe-service.ts';

const patienceMs = 5_000;

/** Milliseconds until it was connected, or why it cannot be reached. */
export async function checkServer(
  server: string,
  network: Pick<HostNetwork, 'resolve'>,
): Promise<Outcome<number, string>> {
  const started = performance.now();
  const {protocol, hostname} = new URL(server);
  const port = Number(/\d+$/u.exec(entryOf(server))?.[0]);
  const target = await network.resolve(hostname, port);
  if (!target.ok) return target;
  const host = target.value[0] ?? hostname;
  return await new Promise((resolve) => {
    const isSecure = protocol === 'https:';
    const socket = isSecure
      ? connectSecurely({host, port, ...(isIP(hostname) === 0 && {servername: hostname})})
      : connect({host, port});
    const end = (result: Outcome<number, string>): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(patienceMs, () => end(failed(`it did not reply within ${patienceMs / 1_000} s`)));
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end(ok(performance.now() - started)));
    socket.once('error', (error: NodeJS.ErrnoException) => end(failed(error.message || String(error.code))));
  });
}
