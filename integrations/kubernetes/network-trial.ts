// Whether a network answers in the Pods of a cluster, and whether they have a credential: a policy is only a request, which many
// clusters ignore.
import {isIP} from 'node:net';

/** Of most clouds. */
const metadata = '169.254.169.254';
const ports = {names: 53, node: 10_250, metadata: 80} as const;
const silentMs = 2000;
const listenMs = 60_000;

/** Prints its address, and listens there for a while. */
export const listenerScript: string = `
const addresses = Object.values(require('node:os').networkInterfaces()).flat().filter(({internal}) => !internal);
require('node:net').createServer((socket) => socket.end()).listen(${ports.node}, () => console.log(addresses[0]?.address ?? ''));
setTimeout(() => process.exit(), ${listenMs});`;

export interface NetworkTargets {
  /** `host:port` */
  readonly api: string;
  /** Of another Pod; empty: it has none. */
  readonly peer: string;
}

/** What the trial prints, as JSON. */
export interface NetworkFacts {
  /** Targets that answered. A refusal is an answer: what refuses was reached. */
  readonly answers: readonly string[];
  /** Paths where a cluster mounts the credentials of Pods. */
  readonly tokens: readonly string[];
}

/** Undefined if it is not the whole result: what is missing would count as a protection. */
export function networkFacts(printed: string): NetworkFacts | undefined {
  try {
    const found = JSON.parse(printed) as Partial<NetworkFacts> | null;
    return isList(found?.answers) && isList(found.tokens) ? {answers: found.answers, tokens: found.tokens} : undefined;
  } catch {
    // It is not JSON, so nothing was found.
    return undefined;
  }
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** The address that the listener printed, empty if it has none; undefined if it printed anything else. */
export function peerAddress(printed: string): string | undefined {
  const line = /^([^\n]*)\r?\n/.exec(printed)?.[1]?.trim();
  return line === '' || (line !== undefined && isIP(line) !== 0) ? line : undefined;
}

export function networkScript({api, peer}: NetworkTargets): string {
  return `
const fs = require('node:fs'), net = require('node:net');
const read = (path) => { try { return fs.readFileSync(path, 'latin1'); } catch { return ''; } };
const variable = (name) => (read('/proc/1/environ').match(new RegExp('(?:^|\\\\0)' + name + '=([^\\\\0]*)')) || [])[1];
const gateway = read('/proc/net/route').split('\\n').map((line) => line.split('\\t')).filter(([, to, via]) => to === '00000000' && via)
  .map(([, , via]) => via.match(/../g).map((byte) => parseInt(byte, 16)).reverse().join('.'));
const service = variable('KUBERNETES_SERVICE_HOST');
const targets = [${JSON.stringify(api)}, ${JSON.stringify(peer && `${peer}:${ports.node}`)}, '${metadata}:${ports.metadata}',
  ...(service ? [service + ':' + variable('KUBERNETES_SERVICE_PORT'), service.replace(/\\d+$/, '10') + ':${ports.names}'] : []),
  ...gateway.flatMap((address) => [address + ':${ports.node}', address + ':${ports.names}'])].filter(Boolean);
const isLoopback = (host) => /^127\\.|^\\[?::1|^localhost$/.test(host);
const answers = (target) => new Promise((resolve) => {
  const at = target.lastIndexOf(':');
  const [host, port] = [target.slice(0, at).replace(/[[\\]]/g, ''), Number(target.slice(at + 1))];
  if (isLoopback(host)) return resolve(false);
  const socket = net.connect({host, port, timeout: ${silentMs}});
  const end = (answer) => { socket.destroy(); resolve(answer); };
  socket.on('connect', () => end(true)).on('error', ({code}) => end(code === 'ECONNREFUSED' || code === 'ECONNRESET')).on('timeout', () => end(false));
});
const tokens = ['/var/run/secrets', '/run/secrets'].filter((path) => fs.existsSync(path));
Promise.all(targets.map(answers)).then((found) => {
  console.log(JSON.stringify({answers: targets.filter((_, index) => found[index]), tokens}));
});`;
}
