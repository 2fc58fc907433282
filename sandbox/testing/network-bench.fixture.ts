// Servers on this machine and names for them, for tests of calls under an allowlist.
import {createServer as createHttpServer} from 'node:http';
import {createServer, type AddressInfo, type Server} from 'node:net';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {findNetworkPrograms} from '../network/network-programs.ts';
import type {SandboxResult} from '../backends/sandbox-call.ts';
import {createBench, type Bench, type BenchOptions, type Call} from './sandbox-bench.fixture.ts';

/** Why there can be no such calls here, undefined when there can. */
export function networkObstacle(): string | undefined {
  const programs = findNetworkPrograms();
  if (findBwrap('/usr/bin:/bin') === undefined) return 'bubblewrap is not installed';
  return programs.ok ? undefined : programs.problem.message;
}

/** For the body of a handler: what a connection brought, or the code of its error; what a command line printed. */
const inside = `
  const net = await import('node:net');
  const tcp = (host, port, say = 'ping') => new Promise((done) => {
    let got = '';
    const socket = net.connect({host, port}, () => socket.write(say));
    socket.on('data', (data) => { got += data; socket.end(); }).on('error', ({code}) => done(code)).on('close', () => done(got || 'closed'));
    socket.setTimeout(5000, () => { done('hangs'); socket.destroy(); });
  });
  const sh = async (line) => { const {stdout, stderr, exit_code} = await context.exec('sh', ['-c', line]); return exit_code === 0 ? stdout : 'failed ' + exit_code + ': ' + stderr; };
`;

const hosts: Readonly<Record<string, readonly string[]>> = {
  'api.test': ['127.0.0.1'],
  'deep.sub.test': ['127.0.0.1'],
  'six.test': ['::1'],
  'both.test': ['127.0.0.66', '127.0.0.1'],
  'rebind.test': ['169.254.169.254', '127.0.0.1', '::1'],
};

export interface NetworkBench {
  readonly bench: Bench;
  /** Ports: two that send back what they get, one that speaks HTTP, one that must not be reached. */
  readonly echo: number;
  readonly echo6: number;
  readonly web: number;
  readonly secret: number;
  /** The names that were looked up. */
  readonly asked: readonly string[];
  listen(server: Server, address?: string): Promise<number>;
  run(body: string, call: Call): Promise<SandboxResult>;
  /** Returns the entry of a handler of this body, to be run more than once; `top` precedes it in its module. */
  handler(body: string, top?: string): string;
  remove(): Promise<void>;
}

/** `more`: names beside those that every such test knows. */
export async function createNetworkBench(
  more: Readonly<Record<string, readonly string[]>> = {},
  options: Pick<BenchOptions, 'backend' | 'warm'> = {},
): Promise<NetworkBench> {
  const servers: Server[] = [];
  const asked: string[] = [];
  const resolveHost = async (name: string): Promise<readonly string[]> => {
    asked.push(name);
    return more[name] ?? hosts[name] ?? Promise.reject(new Error('not found'));
  };
  const bench = await createBench({resolveHost, ...options});
  const listen = async (server: Server, address = '127.0.0.1'): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return (server.address() as AddressInfo).port;
  };
  const echoServer = () =>
    createServer({allowHalfOpen: true}, (socket) => socket.on('error', () => undefined).pipe(socket));
  return {
    bench,
    asked,
    listen,
    echo: await listen(echoServer()),
    echo6: await listen(echoServer(), '::1'),
    web: await listen(createHttpServer((request, response) => response.end(`${request.headers.host}${request.url}`))),
    secret: await listen(createServer((socket) => socket.on('error', () => undefined).end('the secret of the host'))),
    run: (body, call) => bench.call(inside + body, call),
    handler: (body, top) => bench.handler(inside + body, top),
    async remove() {
      for (const server of servers) server.close();
      await bench.remove();
    },
  };
}
