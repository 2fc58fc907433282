// The network of one call: the host's end of every socket in the call's namespace.
import type {Socket} from 'node:net';
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {dial} from './dial.ts';
import {canonicalAddress} from './ip-address.ts';
import {carriers} from './namespace-plan.ts';
import {createNetworkAudit, type NetworkAudit} from './network-audit.ts';
import type {NetworkPolicy} from './network-policy.ts';
import type {NetworkPrograms} from './network-programs.ts';
import {openNamespace, type OpenNamespace} from './open-namespace.ts';
import {relay} from './relay.ts';
import {serveDns} from './serve-dns.ts';

export interface CallNetwork {
  /** Prefix of a command line that starts it inside. */
  readonly enter: readonly string[];
  readonly degraded: readonly string[];
  /** Lets what is on its way out arrive, closes everything and gives the sums. */
  close(): Promise<ReturnType<NetworkAudit['report']>>;
}

export interface CallNetworkInput {
  readonly policy: NetworkPolicy;
  readonly programs: NetworkPrograms;
  readonly nodePath: string;
  readonly holderPath: string;
}

/** Open at once, for one call. */
const connectionsMax = 1024;
const drainMs = 2000;
const unrecorded = 'network: attempts that nobody listened for are not recorded, since nft is not installed';

interface Host {
  readonly policy: NetworkPolicy;
  readonly audit: NetworkAudit;
  readonly namespace: OpenNamespace;
  readonly open: Set<Connection>;
}

interface Connection {
  readonly client: Socket;
  server?: Socket;
  done: Promise<void>;
}

export async function createCallNetwork(input: CallNetworkInput): Promise<CallNetwork | SandboxProblem> {
  const {policy} = input;
  const namespace = await openNamespace({...input, plan: policy.plan});
  if ('message' in namespace) return namespace;
  const audit = createNetworkAudit();
  const host: Host = {policy, audit, namespace, open: new Set()};
  for (const server of namespace.servers) {
    Object.assign(server, {allowHalfOpen: true, pauseOnConnect: true, noDelay: true});
    server.on('connection', (client) => accept(client, host));
  }
  for (const socket of namespace.dnsSockets) serveDns({socket, policy, audit, hasIpv6: namespace.hasIpv6});
  return {
    enter: namespace.enter,
    degraded: [...policy.plan.degraded, ...(input.programs.nft === undefined ? [unrecorded] : [])],
    async close() {
      const refused = namespace.close();
      await drain(host);
      for (const attempt of await refused) {
        const noted = policy.unheard(attempt);
        if (noted !== undefined) {
          audit.deny({destination: noted.destination, rule: undefined}, noted.problem, attempt.attempts);
        }
      }
      return audit.report();
    },
  };
}

function accept(client: Socket, host: Host): void {
  client.on('error', () => undefined);
  const connection: Connection = {client, done: Promise.resolve()};
  connection.done = admit(connection, host).finally(() => host.open.delete(connection));
  host.open.add(connection);
}

async function admit(connection: Connection, host: Host): Promise<void> {
  const {client} = connection;
  const address = canonicalAddress(client.localAddress ?? '');
  // Closed before we came to look at it.
  if (address === undefined) return void client.destroy();
  const port = await portMeant(client, host);
  if (port === undefined) return void client.resetAndDestroy();
  const {attempt, name, target} = host.policy.judge(address, port);
  const refuse = (problem: string): void => {
    client.resetAndDestroy();
    host.audit.deny(attempt, attempt.rule === undefined ? problem : `${problem} (rule ${attempt.rule})`);
  };
  if (host.open.size > connectionsMax) return refuse(`more than ${connectionsMax} connections at once`);
  const found = await target();
  if ('problem' in found) return refuse(found.problem);
  if (client.destroyed) return;
  const server = await dial(found.addresses, port, client);
  if (server === undefined) return void client.resetAndDestroy();
  if (client.destroyed) return void server.destroy();
  connection.server = server;
  const sum = host.audit.allow(attempt);
  const onRefused = (problem: string): void => {
    sum.attempts -= 1;
    refuse(problem);
  };
  await relay({client, server, name, sum, onRefused});
}

/** The port that the client connected to, which the packet filter may have exchanged for that of a carrier. */
async function portMeant(client: Socket, {policy, namespace}: Host): Promise<number | undefined> {
  const {localPort = 0, localAddress = '', remoteAddress = '', remotePort = 0} = client;
  const carrier = policy.plan.carried.length === 0 ? undefined : carriers.find(({port}) => port === localPort);
  if (carrier === undefined) return localPort;
  return carrier.stoodFor ?? (await namespace.portOf({localAddress, remoteAddress, remotePort}));
}

/** The call has ended: what it wrote is still to arrive, what it did not wait for is not. */
async function drain({open}: Host): Promise<void> {
  const relayed: {readonly client: Socket; readonly server: Socket; readonly done: Promise<void>}[] = [];
  for (const {client, server, done} of open) {
    if (server === undefined) client.destroy();
    else relayed.push({client, server, done});
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, drainMs)));
  await Promise.race([Promise.all(relayed.map(({server, done}) => arrived(server, done))), late]);
  clearTimeout(timer);
  for (const {client, server} of relayed) {
    client.destroy();
    server.destroy();
  }
  await Promise.all(relayed.map(({done}) => done));
}

function arrived(server: Socket, done: Promise<void>): Promise<void> {
  return Promise.race([done, new Promise<void>((resolve) => server.once('finish', resolve))]);
}
