// Opens a separate network namespace in which every address leads back to itself, and takes over the sockets that listen there. A
// process that joins it can reach these sockets and nothing else, and has no right to change that.
import {closeSync, openSync} from 'node:fs';
import type {Socket as DnsSocket} from 'node:dgram';
import type {Server} from 'node:net';
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {spawnWithChannel, type ChannelProcess} from '../commands/spawn-with-channel.ts';
import {refHandles} from '../commands/ref-handles.ts';
import type {NetworkHome} from '../backends/network-attachment.ts';
import type {HolderMessage, HolderOrders} from './holder/holder-messages.ts';
import type {NamespacePlan} from './namespace-plan.ts';
import type {NetworkPrograms} from './network-programs.ts';
import {openPortTable, type PortTable} from './port-table.ts';
import type {RefusedAttempt} from './network-policy.ts';
import {packetFilter, readRefusals} from './packet-filter.ts';

export interface OpenNamespace {
  readonly servers: readonly Server[];
  readonly dnsSockets: readonly DnsSocket[];
  readonly hasIpv6: boolean;
  /** Prefix of a command line that starts it inside the namespace, as the same user and with no right over it. */
  readonly enter: readonly string[];
  /** Of the namespace, for root. */
  readonly path: string;
  readonly portOf: PortTable['find'];
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
  /** Returns what was refused for lack of a listener; empty without nft. From now on nothing listens anywhere. */
  close(): Promise<readonly RefusedAttempt[]>;
  /** Call it once no connection needs to look up its port any more. */
  release(): void;
}

const setUpMs = 10_000;
const newNamespaces: readonly string[] = ['--user', '--net', '--map-current-user', '--keep-caps', '--'];
/**
 * `ip` is $0, its commands are $1 and $2, nft or nothing is $3 and its rules are $4: nothing is spliced into this text.
 * Descriptor 3 is the channel. Once the holder has handed its sockets over, only the shell remains, and processes that join
 * cannot see it. It lists what was refused when its input ends, also if the host dies.
 */
const setUpScript = `
  printf %s "$1" | "$0" -batch - || exit 1
  printf %s "$2" | "$0" -batch - 2>/dev/null
  nft=$3
  if [ -n "$nft" ]; then printf %s "$4" | "$nft" -f - || exit 1; fi
  shift 4
  "$@" || exit 1
  exec 3>&-
  read -r _
  if [ -n "$nft" ]; then exec "$nft" -j list sets; fi`;

export interface NamespaceInput {
  readonly programs: NetworkPrograms;
  readonly nodePath: string;
  readonly holderPath: string;
  readonly plan: NamespacePlan;
  /** Default: a new namespace. */
  readonly home: Pick<NetworkHome, 'enter'> | undefined;
}

export async function openNamespace(input: NamespaceInput): Promise<Outcome<OpenNamespace>> {
  const {unshare, sh, ip, nft} = input.programs;
  const received = {servers: [] as Server[], dnsSockets: [] as DnsSocket[], hasIpv6: true};
  let holder: ChannelProcess | undefined;
  const created = new Promise<Outcome<undefined, string>>((resolve) => {
    const {ipv4Setup, ipv6Setup, carried, listeners} = input.plan;
    const script = [ip, ipv4Setup, ipv6Setup, nft ?? '', packetFilter(carried), input.nodePath, input.holderPath];
    const [command = unshare, ...inside] = input.home?.enter ?? [unshare, ...newNamespaces];
    holder = spawnWithChannel({
      command,
      args: [...inside, sh, '-c', setUpScript, ...script],
      onMessage: (message, handle) => receive(message as HolderMessage, handle, {received, resolve}),
      // After all its messages.
      onDisconnect: () => resolve(failed('the process that creates it ended early')),
    });
    void holder.ended.then(({stderr}) => resolve(failed(stderr.trim().split('\n')[0] ?? '')));
    const orders: HolderOrders = {listeners, dnsAddresses: ['127.0.0.1', '::1']};
    holder.send(orders);
  });
  const timer = setTimeout(() => holder?.kill(), setUpMs);
  const outcome = await created;
  clearTimeout(timer);
  holder?.disconnect();
  const result =
    outcome.ok && holder !== undefined
      ? joinable({nsenter: input.programs.nsenter, holder, received})
      : setUpFailed(outcome.ok ? '' : outcome.problem);
  if (!result.ok) {
    holder?.kill();
    closeAll(received);
  }
  return result;
}

interface Received {
  readonly servers: Server[];
  readonly dnsSockets: DnsSocket[];
  hasIpv6: boolean;
}

function receive(
  message: HolderMessage,
  handle: unknown,
  {received, resolve}: {readonly received: Received; readonly resolve: (outcome: Outcome<undefined, string>) => void},
): void {
  switch (message.type) {
    case 'tcp':
      received.servers.push(handle as Server);
      break;
    case 'dns':
      received.dnsSockets.push(handle as DnsSocket);
      break;
    case 'no_ipv6':
      received.hasIpv6 = false;
      break;
    case 'ready':
      resolve(ok(undefined));
      break;
    case 'failed':
      resolve(failed(message.problem));
      break;
    default:
      message satisfies never;
  }
}

interface Joinable {
  readonly nsenter: string;
  readonly holder: ChannelProcess;
  readonly received: Received;
}

function joinable({nsenter, holder, received}: Joinable): Outcome<OpenNamespace> {
  const pid = holder.pid ?? 0;
  const fds: number[] = [];
  let ports: PortTable;
  try {
    for (const kind of ['user', 'net']) fds.push(openSync(`/proc/${pid}/ns/${kind}`, 'r'));
    ports = openPortTable(pid);
  } catch (error) {
    for (const fd of fds) closeSync(fd);
    return setUpFailed(error instanceof Error ? error.message : String(error));
  }
  const [user = '', net = ''] = fds.map((fd) => `/proc/${process.pid}/fd/${fd}`);
  return ok({
    ...received,
    enter: [nsenter, '--preserve-credentials', `--user=${user}`, `--net=${net}`, '--'],
    path: net,
    portOf: (connection) => ports.find(connection),
    keepAlive: (on) => {
      holder.keepAlive(on);
      refHandles([...received.servers, ...received.dnsSockets], on);
    },
    async close() {
      closeAll(received);
      for (const fd of fds.splice(0)) closeSync(fd);
      holder.endInput();
      const {stdout} = await holder.ended;
      return stdout === '' ? [] : readRefusals(stdout);
    },
    release: () => ports.close(),
  });
}

function closeAll({servers, dnsSockets}: Received): void {
  for (const server of servers) server.close();
  for (const socket of dnsSockets.splice(0)) socket.close();
}

function setUpFailed(said: string): Failed<SandboxProblem> {
  return failed({
    message: `the network namespace of the sandbox could not be set up${said === '' ? '' : ` (\`${said}\`)`}`,
    help: 'run `lumenflow sandbox doctor` to see what is missing, or grant network posture `off`',
  });
}
