// The network of one call under an allowlist: the host's end of every socket in the call's namespace.
import type {Socket} from 'node:net';
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {createAddressBook, type AddressBook} from './address-book.ts';
import {dial} from './dial.ts';
import {canonicalAddress} from './ip-address.ts';
import {planNamespace} from './namespace-plan.ts';
import {createNetworkAudit, type Attempt, type NetworkAudit} from './network-audit.ts';
import type {NetworkPrograms} from './network-programs.ts';
import {hostRuleFor, parseNetworkRule, rangeRulesFor, type NetworkRule} from './network-rules.ts';
import {openNamespace} from './open-namespace.ts';
import {relay} from './relay.ts';
import {createTargetResolver, type ResolveHost, type Target, type TargetResolver} from './resolve-target.ts';
import {serveDns} from './serve-dns.ts';

export interface CallNetwork {
  /** Prefix of a command line that starts it inside. */
  readonly enter: readonly string[];
  readonly degraded: readonly string[];
  /** Lets what is on its way out arrive, closes everything and gives the sums. */
  close(): Promise<ReturnType<NetworkAudit['report']>>;
}

export interface CallNetworkInput {
  readonly entries: readonly string[];
  readonly programs: NetworkPrograms;
  readonly nodePath: string;
  readonly holderPath: string;
  readonly resolveHost: ResolveHost;
}

const entriesMax = 500;
const listenersMax = 2000;
/** Open at once, for one call. */
const connectionsMax = 512;
const drainMs = 2000;

interface Host {
  readonly rules: readonly NetworkRule[];
  readonly book: AddressBook;
  readonly audit: NetworkAudit;
  readonly targets: TargetResolver;
  readonly open: Set<{readonly client: Socket; server?: Socket; readonly done: Promise<void>}>;
}

export async function createCallNetwork(input: CallNetworkInput): Promise<CallNetwork | SandboxProblem> {
  const rules = parseRules(input.entries);
  if ('message' in rules) return rules;
  const book = createAddressBook(rules);
  const plan = planNamespace(rules, book);
  if (plan.listeners.length > listenersMax) {
    const message = `the allowlist needs ${plan.listeners.length} listening sockets, more than ${listenersMax}`;
    return {message, help: 'list fewer ports and hosts'};
  }
  const namespace = await openNamespace({...input, plan});
  if ('message' in namespace) return namespace;
  const audit = createNetworkAudit();
  const targets = createTargetResolver(rules, input.resolveHost);
  const host: Host = {rules, book, audit, targets, open: new Set()};
  for (const server of namespace.servers) {
    Object.assign(server, {allowHalfOpen: true, pauseOnConnect: true, noDelay: true});
    server.on('connection', (client) => accept(client, host));
  }
  for (const socket of namespace.dnsSockets) serveDns({socket, book, audit, hasIpv6: namespace.hasIpv6});
  return {
    enter: namespace.enter,
    degraded: plan.degraded,
    async close() {
      namespace.close();
      await drain(host);
      return audit.report();
    },
  };
}

function parseRules(entries: readonly string[]): readonly NetworkRule[] | SandboxProblem {
  if (entries.length > entriesMax) {
    return {message: `the allowlist has ${entries.length} entries, more than ${entriesMax}`, help: 'list fewer'};
  }
  const rules = entries.map((text) => [text, parseNetworkRule(text)] as const);
  const wrong = rules.find(([, rule]) => rule === undefined);
  if (wrong !== undefined) {
    return {
      message: `the allowlist's entry \`${wrong[0]}\` is neither a host with a port nor an address range`,
      help: 'write for example `api.example.com:443`, `*.example.com:443` or `10.0.0.0/8:443`',
    };
  }
  return rules.flatMap(([, rule]) => rule ?? []);
}

function accept(client: Socket, host: Host): void {
  client.on('error', () => undefined);
  const connection: {client: Socket; server?: Socket; done: Promise<void>} = {client, done: Promise.resolve()};
  connection.done = admit(connection, host).finally(() => host.open.delete(connection));
  host.open.add(connection);
}

async function admit(connection: {readonly client: Socket; server?: Socket}, host: Host): Promise<void> {
  const {client} = connection;
  const address = canonicalAddress(client.localAddress ?? '');
  const port = client.localPort ?? 0;
  // Closed before we came to look at it.
  if (address === undefined) return void client.destroy();
  const name = host.book.nameAt(address);
  const rule = name === undefined ? rangeRulesFor(host.rules, address, port)[0] : hostRuleFor(host.rules, name, port);
  const shown = name ?? (address.includes(':') ? `[${address}]` : address);
  const attempt: Attempt = {destination: `${shown}:${port}`, rule: rule?.text};
  const refuse = (problem: string): void => {
    client.resetAndDestroy();
    host.audit.deny(attempt, rule === undefined ? problem : `${problem} (rule ${rule.text})`);
  };
  if (rule === undefined) return refuse('no entry allows it');
  if (host.open.size > connectionsMax) return refuse(`more than ${connectionsMax} connections at once`);
  const target: Target = name === undefined ? host.targets.address(address, port) : await host.targets.name(name, port);
  if ('problem' in target) return refuse(target.problem);
  if (client.destroyed) return;
  const server = await dial(target.addresses, port, client);
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
