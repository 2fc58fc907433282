// Brings up a network namespace of its own in which every address leads back to itself, and takes the sockets
// that listen there over. Who joins it can reach these sockets and nothing else, and has no right to change that.
import {closeSync, openSync} from 'node:fs';
import type {Socket as DnsSocket} from 'node:dgram';
import type {Server} from 'node:net';
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {spawnWithChannel, type ChannelProcess} from '../commands/spawn-with-channel.ts';
import type {HolderMessage, HolderOrders} from './holder/holder-messages.ts';
import type {NamespacePlan} from './namespace-plan.ts';
import type {NetworkPrograms} from './network-programs.ts';

export interface OpenNamespace {
  readonly servers: readonly Server[];
  readonly dnsSockets: readonly DnsSocket[];
  readonly hasIpv6: boolean;
  /** Prefix of a command line that starts it inside the namespace, as the same user and with no right over it. */
  readonly enter: readonly string[];
  close(): void;
}

const setUpMs = 10_000;
/** `ip` is $0, its commands are $1 and $2: nothing is spliced into this text. */
const setUpScript =
  'printf %s "$1" | "$0" -batch - || exit 1; printf %s "$2" | "$0" -batch - 2>/dev/null; shift 2; exec "$@"';

export interface NamespaceInput {
  readonly programs: NetworkPrograms;
  readonly nodePath: string;
  readonly holderPath: string;
  readonly plan: NamespacePlan;
}

export async function openNamespace(input: NamespaceInput): Promise<OpenNamespace | SandboxProblem> {
  const {unshare, sh, ip} = input.programs;
  const taken = {servers: [] as Server[], dnsSockets: [] as DnsSocket[], hasIpv6: true};
  let holder: ChannelProcess | undefined;
  const opened = new Promise<number | string>((resolve) => {
    const {ipv4Setup, ipv6Setup} = input.plan;
    const program = [input.nodePath, input.holderPath];
    holder = spawnWithChannel({
      command: unshare,
      args: ['--user', '--net', '--map-current-user', '--keep-caps', '--', sh, '-c', setUpScript, ip].concat(
        ipv4Setup,
        ipv6Setup,
        program,
      ),
      onMessage: (message, handle) => take(message as HolderMessage, handle, {taken, resolve}),
    });
    void holder.ended.then((said) => resolve(said.trim().split('\n')[0] ?? ''));
    const orders: HolderOrders = {listeners: input.plan.listeners, dnsAddresses: ['127.0.0.1', '::1']};
    holder.send(orders);
  });
  const timer = setTimeout(() => holder?.kill(), setUpMs);
  const answer = await opened;
  clearTimeout(timer);
  const result = typeof answer === 'string' ? setUpFailed(answer) : joinable(input.programs, answer, taken);
  holder?.disconnect();
  if ('message' in result) closeAll(taken);
  return result;
}

interface Taken {
  readonly servers: Server[];
  readonly dnsSockets: DnsSocket[];
  hasIpv6: boolean;
}

function take(
  message: HolderMessage,
  handle: unknown,
  {taken, resolve}: {readonly taken: Taken; readonly resolve: (answer: number | string) => void},
): void {
  switch (message.type) {
    case 'tcp':
      taken.servers.push(handle as Server);
      break;
    case 'dns':
      taken.dnsSockets.push(handle as DnsSocket);
      break;
    case 'no_ipv6':
      taken.hasIpv6 = false;
      break;
    case 'ready':
      resolve(message.pid);
      break;
    case 'failed':
      resolve(message.problem);
      break;
    default:
      message satisfies never;
  }
}

/** The holder is alive until here; the open files keep the namespaces when it has gone. */
function joinable({nsenter}: NetworkPrograms, pid: number, taken: Taken): OpenNamespace | SandboxProblem {
  const fds: number[] = [];
  try {
    for (const kind of ['user', 'net']) fds.push(openSync(`/proc/${pid}/ns/${kind}`, 'r'));
  } catch (error) {
    for (const fd of fds) closeSync(fd);
    return setUpFailed(error instanceof Error ? error.message : String(error));
  }
  const [user = 0, net = 0] = fds.map((fd) => `/proc/${process.pid}/fd/${fd}`);
  return {
    ...taken,
    enter: [nsenter, '--preserve-credentials', `--user=${user}`, `--net=${net}`, '--'],
    close: () => {
      closeAll(taken);
      for (const fd of fds.splice(0)) closeSync(fd);
    },
  };
}

function closeAll({servers, dnsSockets}: Taken): void {
  for (const server of servers) server.close();
  for (const socket of dnsSockets.splice(0)) socket.close();
}

function setUpFailed(said: string): SandboxProblem {
  return {
    message: `the network namespace of an allowlist could not be set up${said === '' ? '' : ` (\`${said}\`)`}`,
    help: 'run `lumenflow sandbox doctor` for what is missing, or grant network posture `off`',
  };
}
