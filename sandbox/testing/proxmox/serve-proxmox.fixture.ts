// The stand-in for Proxmox VE as a server: HTTPS with its own certificate, and API tokens.
import {once} from 'node:events';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {ownCertificate} from '../own-certificate.fixture.ts';
import type {ProxmoxStandIn} from './proxmox-stand-in.fixture.ts';
import {Refusal} from './proxmox-state.fixture.ts';

export interface ServedProxmox {
  readonly url: string;
  readonly fingerprint: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
  close(): Promise<void>;
}

const token = 'lumenflow@pve!host=11111111-2222-3333-4444-555555555555';
const base = '/api2/json';

export async function serveProxmox(
  standIn: ProxmoxStandIn,
  {address = '127.0.0.1', port = 0} = {},
): Promise<ServedProxmox> {
  const {key, cert, fingerprint} = await ownCertificate(address);
  const server = createServer({key, cert}, (incoming, response) => {
    answer(incoming, standIn).then(
      (data) => send(response, {status: 200, message: 'OK', body: {data}}),
      (error: unknown) => {
        const refusal = error instanceof Refusal ? error : new Refusal(500, String(error));
        const {status, message, errors} = refusal;
        if (status === undefined) incoming.socket.destroy();
        else send(response, {status, message, body: {data: null, ...(errors && {errors})}});
      },
    );
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    url: `https://${address}:${(server.address() as AddressInfo).port}`,
    fingerprint,
    authority: cert,
    token,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(incoming: IncomingMessage, standIn: ProxmoxStandIn): Promise<unknown> {
  if (incoming.headers.authorization !== `PVEAPIToken=${token}`) throw new Refusal(401, 'authentication failure');
  const {pathname, searchParams} = new URL(incoming.url ?? '', 'https://pve');
  const parameters = Object.fromEntries([...searchParams, ...new URLSearchParams(await text(incoming))]);
  return standIn.answer(`${incoming.method} ${pathname.slice(base.length)}`, parameters);
}

/** The sentence is in the status line, as Proxmox VE sends it. */
function send(
  response: ServerResponse,
  {status, message, body}: {readonly status: number; readonly message: string; readonly body: object},
): void {
  response.writeHead(status, message.replaceAll(/[^\x20-\x7e]/g, ' '), {'content-type': 'application/json'});
  response.end(JSON.stringify(body));
}
