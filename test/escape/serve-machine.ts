// The servers of the machine: each one sends the secret to every client, and records what it receives.
import {createSocket} from 'node:dgram';
import {createServer, type Server, type Socket} from 'node:net';
import {mkdirSync} from 'node:fs';
import {dirname} from 'node:path';

export interface MachineServers {
  /** What all were sent since the last time. */
  takeReceived(): string;
}

/** Served on every address of the machine; an allowlist of the attack pack names the first. */
export const listedPort = 4999;
export const otherPort = 4998;
const metadataPort = 80;
const dnsPort = 53;
const unixSockets: readonly string[] = [
  '/run/docker.sock',
  '/run/dbus/system_bus_socket',
  '/run/user/0/bus',
  '\0lumenflow-escape',
];

/** A place that cannot be listened on is left out: attacks on it are reported as impossible. */
export async function serveMachine(secret: string, agentSocket: string): Promise<MachineServers> {
  let received = '';
  const take = (data: Buffer): void => {
    received = `${received}${data.toString('latin1')}`.slice(-100_000);
  };
  const answer = (socket: Socket): void => {
    // HTTP for HTTP requests, plain text otherwise.
    socket.on('error', () => socket.destroy()).on('data', take);
    socket.end(`HTTP/1.0 200 OK\r\n\r\n${secret}\n`);
  };
  for (const port of [listedPort, otherPort, metadataPort]) {
    await listening(createServer(answer), {port, host: '::'});
  }
  for (const path of [...unixSockets, agentSocket]) {
    if (path.startsWith('/')) makeFolder(dirname(path));
    await listening(createServer(answer), {path});
  }
  for (const port of [otherPort, dnsPort]) {
    for (const type of ['udp4', 'udp6'] as const) {
      const socket = createSocket({type, ...(type === 'udp6' && {ipv6Only: true})});
      socket.on('message', take).on('error', () => undefined);
      socket.bind(port);
    }
  }
  return {
    takeReceived() {
      const all = received;
      received = '';
      return all;
    },
  };
}

async function listening(server: Server, where: {port: number; host: string} | {path: string}): Promise<void> {
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve());
    server.listen(where, () => resolve());
  });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, {recursive: true});
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
