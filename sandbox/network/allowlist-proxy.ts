// The allowlist of one call on macOS: a proxy on the loopback of this machine, which is all that the sandbox can reach. It
// decides as a namespace does, but programs must use it explicitly, because SBPL cannot redirect them.
import {randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {CallNetwork} from './call-network.ts';
import {canonicalAddress} from './ip-address.ts';
import {destinationOf, type NetworkPolicy} from './network-policy.ts';
import {createOpenConnections, type Connection, type OpenConnections} from './open-connections.ts';

interface Proxy {
  readonly policy: Pick<NetworkPolicy, 'lookUp' | 'judge'>;
  readonly authorization: Buffer;
  readonly connections: OpenConnections;
  /** False before the call has come. */
  mayAsk(): boolean;
}

export async function openAllowlistProxy(policy: Proxy['policy']): Promise<CallNetwork> {
  const credential = `tool:${randomBytes(24).toString('hex')}`;
  const authorization = Buffer.from(`Basic ${Buffer.from(credential).toString('base64')}`);
  const connections = createOpenConnections();
  let hasBegun = false;
  let reportEarly = (): void => undefined;
  const early = new Promise<void>((resolve) => (reportEarly = resolve));
  const mayAsk = (): boolean => {
    if (!hasBegun) reportEarly();
    return hasBegun;
  };
  const proxy: Proxy = {policy, authorization, connections, mayAsk};
  const server = createServer((_, response) => {
    response.writeHead(501, {connection: 'close'}).end('this proxy accepts only CONNECT: open a tunnel\n');
  });
  server.on('connect', (request, socket, head) =>
    connections.accept(socket as Socket, (connection) => admit(proxy, {request, connection, head})),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  return {
    attachment: {kind: 'proxy', port, env: proxyEnv(`http://${credential}@127.0.0.1:${port}`)},
    degraded: [],
    early,
    begin: () => void (hasBegun = true),
    keepAlive: (on) => void (on ? server.ref() : server.unref()),
    report: connections.audit.report,
    async close() {
      server.close();
      server.closeAllConnections();
      await connections.drain();
      return connections.audit.report();
    },
  };
}

function proxyEnv(url: string): Readonly<Record<string, string>> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  // Node's own clients use these variables only if NODE_USE_ENV_PROXY is set.
  return {...Object.fromEntries(names.map((name) => [name, url])), NODE_USE_ENV_PROXY: '1'};
}

interface Asked {
  readonly request: IncomingMessage;
  readonly connection: Connection;
  readonly head: Buffer;
}

async function admit(proxy: Proxy, asked: Asked): Promise<void> {
  const {request, connection} = asked;
  const given = Buffer.from(request.headers['proxy-authorization'] ?? '');
  const isOurs = given.length === proxy.authorization.length && timingSafeEqual(given, proxy.authorization);
  if (!isOurs) return answer(connection.client, '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic');
  if (!proxy.mayAsk()) return answer(connection.client, statuses.refused);
  const target = hostPortIn(request.url ?? '');
  return target === undefined ? answer(connection.client, '400 Bad Request') : tunnel(proxy, asked, target);
}

interface HostPort {
  /** In lower case, without the last dot or brackets. */
  readonly host: string;
  readonly port: number;
}

function hostPortIn(authority: string): HostPort | undefined {
  const found = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<host>[^:[\]]+)):(?<port>\d{1,5})$/i.exec(authority)?.groups;
  const host = found?.['six'] ?? found?.['host'];
  return host === undefined ? undefined : {host: host.toLowerCase().replace(/\.$/, ''), port: Number(found?.['port'])};
}

async function tunnel({policy, connections}: Proxy, {connection, head}: Asked, {host, port}: HostPort): Promise<void> {
  const {client} = connection;
  const address = canonicalAddress(host) ?? (await addressFor(policy, host));
  if (address === undefined) {
    answer(client, statuses.refused);
    return connections.audit.deny({destination: destinationOf(host, port), rule: undefined}, 'no entry allows it');
  }
  await connections.carry(connection, {
    port,
    judgement: policy.judge(address, port),
    turnAway: (reason) => answer(client, statuses[reason]),
    welcome() {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) client.unshift(head);
    },
  });
}

const statuses = {refused: '403 Forbidden', unreachable: '502 Bad Gateway'} as const;

function answer(client: Socket, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** Returns an address for the name, or undefined if no entry lists it. */
async function addressFor(policy: Proxy['policy'], name: string): Promise<string | undefined> {
  const found = await policy.lookUp(name);
  return found.kind === 'found' ? (found.ipv4[0] ?? found.ipv6[0]) : undefined;
}
