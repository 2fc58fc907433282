// A worker for tests, hosts that it trusts, and a way between them that a test can break.
import {createHash, generateKeyPairSync, type KeyObject} from 'node:crypto';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {RemoteWorker} from '@lumenflow/schemas';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import {ok} from '../outcome.ts';
import {createRemoteBackend} from '../remote/create-remote-backend.ts';
import {NonceCache} from '../signatures/nonce-cache.ts';
import {attestForTest} from './attest-for-test.fixture.ts';
import {startWorker, type Worker, type WorkerOptions} from '../start-worker.ts';

export interface TestKey {
  /** `name+id`. */
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** As workspace.yaml contains it. */
  readonly line: string;
}

export function makeTestKey(name: string): TestKey {
  const {privateKey, publicKey} = generateKeyPairSync('ed25519');
  const typed = Buffer.concat([Buffer.from([1]), Buffer.from(publicKey.export({format: 'jwk'}).x ?? '', 'base64url')]);
  const hash = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8);
  const id = `${name}+${hash}`;
  return {id, privateKey, publicKey, line: `${id}+${typed.toString('base64')}`};
}

export interface WorkerBench {
  readonly worker: Worker;
  readonly hostKey: TestKey;
  /** For workspace.yaml. */
  readonly listed: RemoteWorker;
  newBackend(runner: RunnerProgram, workers?: readonly RemoteWorker[]): SandboxBackend;
  close(): Promise<void>;
}

export interface WorkerBenchOptions extends Partial<WorkerOptions> {
  readonly hostKey?: TestKey;
}

export async function openWorkerBench({
  hostKey = makeTestKey('host'),
  ...given
}: WorkerBenchOptions): Promise<WorkerBench> {
  const name = given.name ?? 'bench';
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-worker-')));
  const key = makeTestKey(name);
  const started = await startWorker({
    name,
    version: '0.0.0',
    backend: 'bubblewrap',
    searchPath: '/usr/bin:/bin',
    slots: 8,
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    ownKeys: () => [key],
    hostKeys: () => new Map([[hostKey.id, hostKey.publicKey]]),
    // Tests do not wait for the second in which the worker was started.
    nonces: new NonceCache({startedAt: Date.now() - 2000, newestCreated: 0, keepNewestCreated: () => undefined}),
    now: Date.now,
    cacheFolder: join(folder, 'cache'),
    cacheBytesMax: 1024 ** 3,
    sign: (call) => attestForTest(call, key),
    ...given,
  });
  if (!started.ok) throw new Error(`${started.problem.message}: ${started.problem.help}`);
  const worker = started.value;
  const listed = {name, url: worker.url, key: key.line};
  return {
    worker,
    hostKey,
    listed,
    newBackend: (runner, workers = [listed]) =>
      createRemoteBackend({runner, workers, lostMs: 3000, workerKey: async () => ok(hostKey)}),
    async close() {
      await worker.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

export interface BreakableWay {
  readonly url: string;
  /** Drops every connection, and refuses new ones until it is mended. */
  breakOff(): void;
  mend(): void;
  close(): Promise<void>;
}

/** A way to the worker that a test can break. `slowMs`: how long each part of what is sent takes. */
export async function openWay(url: string, slowMs = 0): Promise<BreakableWay> {
  const {hostname, port} = new URL(url);
  const sockets = new Set<Socket>();
  let isBroken = false;
  const server = createServer((near) => {
    if (isBroken) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void setTimeout(() => to.writable && to.write(bytes), slowMs));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const breakOff = (): void => {
    isBroken = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakOff,
    mend: () => void (isBroken = false),
    async close() {
      breakOff();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
