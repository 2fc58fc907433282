// Another machine, for tests: a network namespace behind a pair of interfaces, in which a server sends back what it gets.
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {spawn} from 'node:child_process';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {findProgram} from '../commands/find-program.ts';

export interface Neighbour {
  readonly ipv4: string;
  readonly ipv6: string;
  readonly port: number;
  /** The host's own address on the way there. */
  readonly gateway: string;
  remove(): Promise<void>;
}

/** Why there can be none here. */
export function neighbourObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can add an interface to the host';
  return findProgram('ip') === undefined ? 'ip (Debian package iproute2) is not installed' : undefined;
}

const server = `for (const port of [0, ...process.argv.slice(1)]) require('net').createServer({allowHalfOpen: true}, (s) => s.on('error', () => {}).pipe(s))
  .listen(port, '::', function () { if (port === 0) console.log(this.address().port); })`;

/** `ports`: where its server listens too. */
export async function createNeighbour(ports: readonly number[] = []): Promise<Neighbour> {
  const id = process.pid % 65_536;
  const [name, inner, outer] = [`lumenflow-${id}`, `lfi${id}`, `lfo${id}`];
  const net = `10.213.${id >> 8}.`;
  const [gateway, ipv4] = [`${net}${(id & 63) * 4 + 1}`, `${net}${(id & 63) * 4 + 2}`];
  const ipv6 = `fd13:6c66:${id.toString(16)}::2`;
  await run(`ip netns add ${name} && ip link add ${outer} type veth peer name ${inner} netns ${name} &&
    ip addr add ${gateway}/30 dev ${outer} && ip addr add fd13:6c66:${id.toString(16)}::1/64 dev ${outer} nodad && ip link set ${outer} up &&
    ip -n ${name} addr add ${ipv4}/30 dev ${inner} && ip -n ${name} addr add ${ipv6}/64 dev ${inner} nodad && ip -n ${name} link set ${inner} up`);
  const child = spawn('ip', ['netns', 'exec', name, process.execPath, '-e', server, ...ports.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    ipv4,
    ipv6,
    gateway,
    port: Number(line),
    async remove() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await run(`ip link del ${outer}; ip netns del ${name}`);
    },
  };
}

async function run(line: string): Promise<void> {
  const {exitCode, stderr} = await createSpawnExecutor().run({
    command: 'sh',
    args: ['-c', line],
    cwd: '/',
    env: {PATH: '/usr/sbin:/usr/bin:/sbin:/bin'},
    outputSink: {kind: 'capture', maxBytes: 10_000},
  });
  if (exitCode !== 0) throw new Error(stderr);
}
