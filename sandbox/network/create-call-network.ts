// The network of one call as a namespace: the host's end of every socket in it.
import type {Socket} from 'node:net';
import {setImmediate as turn} from 'node:timers/promises';
import type {NetworkHome} from '../backends/network-attachment.ts';
import {ok, type Outcome} from '../outcome.ts';
import type {CallNetwork} from './call-network.ts';
import {canonicalAddress} from './ip-address.ts';
import {carriers} from './namespace-plan.ts';
import type {NetworkPolicy} from './network-policy.ts';
import type {NetworkPrograms} from './network-programs.ts';
import {createOpenConnections, type Connection, type OpenConnections} from './open-connections.ts';
import {openNamespace, type OpenNamespace} from './open-namespace.ts';
import {serveDns} from './serve-dns.ts';

export interface CallNetworkInput {
  readonly policy: NetworkPolicy;
  readonly programs: NetworkPrograms;
  readonly nodePath: string;
  readonly holderPath: string;
  /** The namespace to use in place of a new one. It is closed with the network. */
  readonly home: NetworkHome | undefined;
}

const unrecorded = 'network: attempts to reach ports without a listener are not recorded because nft is not installed';

interface Host {
  readonly policy: NetworkPolicy;
  readonly namespace: OpenNamespace;
  readonly connections: OpenConnections;
  /** False before the call has come. */
  mayAsk(): boolean;
}

export async function createCallNetwork(input: CallNetworkInput): Promise<Outcome<CallNetwork>> {
  const {policy} = input;
  const opened = await openNamespace({...input, plan: policy.plan});
  if (!opened.ok) return opened;
  const namespace = opened.value;
  const connections = createOpenConnections();
  const {audit} = connections;
  let hasBegun = false;
  let markEarly = (): void => undefined;
  const early = new Promise<void>((resolve) => (markEarly = resolve));
  const mayAsk = (): boolean => {
    if (!hasBegun) markEarly();
    return hasBegun;
  };
  const host: Host = {policy, namespace, connections, mayAsk};
  for (const server of namespace.servers) {
    Object.assign(server, {allowHalfOpen: true, pauseOnConnect: true, noDelay: true});
    server.on('connection', (client) => connections.accept(client, (connection) => admit(connection, host)));
  }
  for (const socket of namespace.dnsSockets) serveDns({socket, policy, audit, hasIpv6: namespace.hasIpv6, mayAsk});
  return ok({
    attachment: {kind: 'namespace', enter: namespace.enter, path: namespace.path, home: input.home},
    degraded: [...policy.plan.degraded, ...(input.programs.nft === undefined ? [unrecorded] : [])],
    early,
    begin: () => void (hasBegun = true),
    keepAlive: (on) => namespace.keepAlive(on),
    report: audit.report,
    async close() {
      // Accept clients that have connected by now: the event loop runs its listeners once more.
      await turn();
      const refused = namespace.close();
      await connections.drain();
      namespace.release();
      for (const attempt of await refused) {
        const noted = policy.describeRefused(attempt);
        if (noted !== undefined) {
          audit.deny({destination: noted.destination, rule: undefined}, noted.problem, attempt.attempts);
        }
      }
      await input.home?.close();
      return audit.report();
    },
  });
}

async function admit(connection: Connection, host: Host): Promise<void> {
  const {client} = connection;
  if (!host.mayAsk()) return void client.resetAndDestroy();
  const address = canonicalAddress(client.localAddress ?? '');
  // Closed before we inspected it.
  if (address === undefined) return void client.destroy();
  const port = await portMeant(client, host);
  if (port === undefined) return void client.resetAndDestroy();
  const judgement = host.policy.judge(address, port);
  await host.connections.carry(connection, {port, judgement, turnAway: () => void client.resetAndDestroy()});
}

/** The port that the client connected to, which the packet filter may have exchanged for that of a carrier. */
async function portMeant(client: Socket, {policy, namespace}: Host): Promise<number | undefined> {
  const {localPort = 0, localAddress = '', remoteAddress = '', remotePort = 0} = client;
  const carrier = policy.plan.carried.length === 0 ? undefined : carriers.find(({port}) => port === localPort);
  if (carrier === undefined) return localPort;
  return carrier.carriedPort ?? (await namespace.portOf({localAddress, remoteAddress, remotePort}));
}
