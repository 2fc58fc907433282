// The allowlist of one call on macOS: a proxy on this machine's loopback that the sandbox may reach, and nothing else.
// It decides as the namespace of Linux does; only that programs must ask it, since SBPL cannot send them here.
import {randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {dial} from '../network/dial.ts';
import {canonicalAddress} from '../network/ip-address.ts';
import {createNetworkAudit, type NetworkAudit} from '../network/network-audit.ts';
import {destinationOf, type NetworkPolicy} from '../network/network-policy.ts';
import {relay} from '../network/relay.ts';

export interface NetworkBroker {
  readonly port: number;
  /** Where programs find it, with the call's own credential. */
  readonly env: Readonly<Record<string, string>>;
  /** Lets what is on its way out arrive, closes everything and gives the sums. */
  close(): Promise<ReturnType<NetworkAudit['report']>>;
}

interface Connection {
  readonly client: Socket;
  server?: Socket;
  done: Promise<void>;
}

interface Broker {
  readonly policy: Pick<NetworkPolicy, 'lookUp' | 'judge'>;
  readonly audit: NetworkAudit;
  readonly authorization: Buffer;
  readonly open: Set<Connection>;
}

const connectionsMax = 512;
const drainMs = 2000;

export async function openNetworkBroker(policy: Broker['policy']): Promise<NetworkBroker> {
  const credential = `tool:${randomBytes(24).toString('hex')}`;
  const authorization = Buffer.from(`Basic ${Buffer.from(credential).toString('base64')}`);
  const broker: Broker = {policy, audit: createNetworkAudit(), authorization, open: new Set()};
  const server = createServer((_, response) => {
    response.writeHead(501, {connection: 'close'}).end('only CONNECT is served here: tunnel through the proxy\n');
  });
  server.on('connect', (request, socket, head) => accept(broker, {request, client: socket as Socket, head}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  return {
    port,
    env: proxyEnv(`http://${credential}@127.0.0.1:${port}`),
    async close() {
      server.close();
      server.closeAllConnections();
      await drain(broker.open);
      return broker.audit.report();
    },
  };
}

function proxyEnv(url: string): Readonly<Record<string, string>> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  // Node's own clients look at these variables only when told to.
  return {...Object.fromEntries(names.map((name) => [name, url])), NODE_USE_ENV_PROXY: '1'};
}

interface Asked {
  readonly request: IncomingMessage;
  readonly client: Socket;
  readonly head: Buffer;
}

function accept(broker: Broker, asked: Asked): void {
  asked.client.on('error', () => undefined);
  const connection: Connection = {client: asked.client, done: Promise.resolve()};
  connection.done = admit(broker, asked, connection).finally(() => broker.open.delete(connection));
  broker.open.add(connection);
}

async function admit(broker: Broker, asked: Asked, connection: Connection): Promise<void> {
  const {request, client} = asked;
  const given = Buffer.from(request.headers['proxy-authorization'] ?? '');
  const isOurs = given.length === broker.authorization.length && timingSafeEqual(given, broker.authorization);
  if (!isOurs) return answer(client, '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic');
  const place = placeIn(request.url ?? '');
  return place === undefined ? answer(client, '400 Bad Request') : tunnel(broker, asked, connection, place);
}

interface Place {
  /** In lower case, without the last dot or brackets. */
  readonly host: string;
  readonly port: number;
}

function placeIn(authority: string): Place | undefined {
  const found = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<host>[^:[\]]+)):(?<port>\d{1,5})$/i.exec(authority)?.groups;
  const host = found?.['six'] ?? found?.['host'];
  return host === undefined ? undefined : {host: host.toLowerCase().replace(/\.$/, ''), port: Number(found?.['port'])};
}

async function tunnel(broker: Broker, asked: Asked, connection: Connection, {host, port}: Place): Promise<void> {
  const {client, head} = asked;
  const address = canonicalAddress(host) ?? (await addressFor(broker.policy, host));
  const refuse = (problem: string, rule?: string): void => {
    answer(client, '403 Forbidden');
    broker.audit.deny({destination: destinationOf(host, port), rule}, problem);
  };
  if (address === undefined) return refuse('no entry allows it');
  const {attempt, name, target} = broker.policy.judge(address, port);
  if (broker.open.size > connectionsMax) return refuse(`more than ${connectionsMax} connections at once`, attempt.rule);
  const found = await target();
  if ('problem' in found) return refuse(found.problem, attempt.rule);
  const server = client.destroyed ? undefined : await dial(found.addresses, port, client);
  if (server === undefined) return answer(client, '502 Bad Gateway');
  connection.server = server;
  const sum = broker.audit.allow(attempt);
  const onRefused = (problem: string): void => {
    sum.attempts -= 1;
    client.resetAndDestroy();
    broker.audit.deny(attempt, problem);
  };
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  await relay({client, server, name, sum, onRefused});
}

function answer(client: Socket, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** An address that stands for the name; undefined when nothing lists it. */
async function addressFor(policy: Broker['policy'], name: string): Promise<string | undefined> {
  const found = await policy.lookUp(name);
  return found.kind === 'found' ? (found.ipv4[0] ?? found.ipv6[0]) : undefined;
}

/** The call has ended: what it wrote is still to arrive, what it did not wait for is not. */
async function drain(open: ReadonlySet<Connection>): Promise<void> {
  const arriving = [...open].flatMap(({server, done}) =>
    server === undefined ? [] : [Promise.race([done, once(server, 'finish').catch(() => undefined)])],
  );
  const late = new AbortController();
  await Promise.race([Promise.all(arriving), delay(drainMs, undefined, {signal: late.signal}).catch(() => undefined)]);
  late.abort();
  const left = [...open];
  for (const {client, server} of left) {
    client.destroy();
    server?.destroy();
  }
  await Promise.all(left.map(({done}) => done));
}
