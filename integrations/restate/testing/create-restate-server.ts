// A Restate server of a test's own, of one node or three, on free ports of this machine.
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {countLeaderships, leadershipTarget} from './count-leaderships.ts';

const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
const program = findProgram(
  join('node_modules/.cache', `${platform.replace('/', '-')}@1.7.12`, 'node_modules', platform, 'bin/restate-server'),
);

/** Why the tests are skipped; undefined if they can run. */
export const noServer: string | undefined =
  program === undefined ? 'the Restate server is not installed: `npm run engines -- restate`' : undefined;

export interface RestateTestServer {
  /** Of each node. */
  readonly urls: readonly {readonly ingress_url: string; readonly admin_url: string}[];
  /** Starts the nodes that do not run, and waits until all reply. */
  start(): Promise<void>;
  /** As a crash would end them: all nodes, or one. */
  kill(node?: number): Promise<void>;
  /** How many partitions each node leads. A node that was killed leads those that no other has taken over. */
  leaderships(): readonly number[];
  remove(): Promise<void>;
}

const startMs = 120_000;

export async function createRestateServer(nodes: 1 | 3 = 1): Promise<RestateTestServer> {
  const home = mkdtempSync(join(tmpdir(), 'lumenflow-restate-'));
  const ports = await freePorts(nodes * 3);
  const all = Array.from({length: nodes}, (_, index) => {
    const [node = 0, ingress = 0, admin = 0] = ports.slice(index * 3);
    return {index, node, ingress, admin, child: undefined as ChildProcess | undefined};
  });
  const addresses = all.map(({node}) => `"http://127.0.0.1:${node}"`);
  for (const each of all) {
    mkdirSync(join(home, `n${each.index}`));
    writeFileSync(join(home, `n${each.index}.toml`), settingsOf(each, home, addresses));
  }
  const urls = all.map(({ingress, admin}) => ({
    ingress_url: `http://127.0.0.1:${ingress}`,
    admin_url: `http://127.0.0.1:${admin}`,
  }));

  async function start(): Promise<void> {
    for (const each of all) {
      if (each.child !== undefined) continue;
      const log = openSync(logOf(home, each.index), 'a');
      const env = {...process.env, RESTATE_CONFIG: join(home, `n${each.index}.toml`)};
      each.child = spawn(program ?? '', ['--no-logo'], {env, cwd: home, stdio: ['ignore', log, 'ignore']});
      closeSync(log);
    }
    for (const deadline = performance.now() + startMs; ; await wait(50)) {
      const ready = await Promise.all(
        urls.flatMap(({ingress_url, admin_url}) => [
          replies(`${ingress_url}/restate/health`),
          replies(`${admin_url}/health`),
        ]),
      );
      if (!ready.includes(false)) return;
      if (performance.now() > deadline) throw new Error('the Restate server did not start');
    }
  }

  async function kill(node?: number): Promise<void> {
    const ended = all.filter(({index, child}) => child !== undefined && (node ?? index) === index);
    for (const each of ended) {
      const {child} = each;
      each.child = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }

  await start();
  return {
    urls,
    start,
    kill,
    leaderships: () => countLeaderships(all.map(({index}) => readFileSync(logOf(home, index), 'utf8'))),
    async remove() {
      await kill();
      rmSync(home, {recursive: true, force: true});
    },
  };
}

function logOf(home: string, index: number): string {
  return join(home, `n${index}.log`);
}

interface NodeOfServer {
  readonly index: number;
  readonly node: number;
  readonly ingress: number;
  readonly admin: number;
}

function settingsOf({index, node, ingress, admin}: NodeOfServer, home: string, addresses: readonly string[]): string {
  const cluster = `auto-provision = ${index === 0}
default-replication = 2
[metadata-client]
addresses = [${addresses.join(', ')}]
[bifrost]
default-provider = "replicated"`;
  return `cluster-name = "test"
node-name = "n${index}"
disable-telemetry = true
log-format = "json"
log-filter = "warn,${leadershipTarget}=info"
base-dir = "${join(home, `n${index}`)}"
bind-ip = "127.0.0.1"
advertised-host = "127.0.0.1"
listen-mode = "tcp"
bind-port = ${node}
default-num-partitions = 4
${addresses.length === 1 ? '' : cluster}
[admin]
bind-port = ${admin}
disable-web-ui = true
[ingress]
bind-port = ${ingress}
`;
}

async function replies(url: string): Promise<boolean> {
  try {
    return (await fetch(url, {signal: AbortSignal.timeout(2_000)})).ok;
  } catch {
    return false;
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({length: count}, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** In the folder of the repository, above the sources and the built files of this package. */
function findProgram(path: string): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, path))) return join(folder, path);
  return undefined;
}
