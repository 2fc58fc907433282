// A worker with the keys that are kept on this machine.
import {failed, type Outcome} from '@lumenflow/kernel';
import {NonceCache, startWorker, type Worker} from '@lumenflow/sandbox';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {mkdirSync, readFileSync} from 'node:fs';
import {isIP} from 'node:net';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {attestCall} from '../keys/attest-call.ts';
import {CurrentKeys} from '../keys/current-keys.ts';
import {ensureKeys} from '../keys/key-folder.ts';
import {keepNewestCreated, readNewestCreated} from '../keys/newest-created.ts';
import {TrustedHosts} from '../keys/trusted-hosts.ts';
import {version} from '../version.ts';
import {parseListen} from './parse-listen.ts';

export interface HostWorkerOptions {
  /** Where the worker's keys are, and those of the hosts that it serves. */
  readonly folder: string;
  /** `HOST:PORT` */
  readonly listen: string;
  readonly cacheFolder: string;
  readonly cacheBytesMax: number;
  readonly backend: SandboxBackendName;
  readonly slots: number;
  readonly searchPath: string;
  readonly networkMax: readonly string[] | undefined;
  readonly tls: {readonly cert: string; readonly key: string; readonly clientCa: string | undefined} | undefined;
  /** Serves other machines without TLS: bodies are signed, and not secret. */
  readonly allowsPlainHttp: boolean;
}

const second = 1000;

interface WorkerProblem {
  readonly message: string;
  readonly help: string;
}

export async function startHostWorker(options: HostWorkerOptions): Promise<Outcome<Worker, WorkerProblem>> {
  const address = parseListen(options.listen);
  if (address === undefined) {
    return failed({message: `\`${options.listen}\` is not an address`, help: 'give HOST:PORT, such as 127.0.0.1:7070'});
  }
  if (options.tls === undefined && !options.allowsPlainHttp && !isLoopback(address.host)) {
    return failed({
      message: `${options.listen} is reachable from other machines, and secrets of calls would travel unencrypted`,
      help: 'give `--tls-cert` and `--tls-key`, or `--insecure-http` in a network that you trust',
    });
  }
  mkdirSync(options.folder, {recursive: true, mode: 0o700});
  const made = await ensureKeys(join(options.folder, 'keys'), workerName());
  if (!made.ok) return made;
  const own = new CurrentKeys(join(options.folder, 'keys'));
  const hosts = new TrustedHosts(join(options.folder, 'trusted-hosts'));
  const newest = join(options.folder, 'newest-created');
  const startedAt = Date.now();
  // An earlier process may have accepted requests of this second, which are refused.
  await wait(second - (startedAt % second));
  return await startWorker({
    ...address,
    name: workerName(),
    version,
    backend: options.backend,
    searchPath: options.searchPath,
    slots: options.slots,
    cacheFolder: options.cacheFolder,
    cacheBytesMax: options.cacheBytesMax,
    networkMax: options.networkMax,
    tls: readTls(options.tls),
    ownKeys: () => own.keys(),
    hostKeys: () => hosts.keys(),
    nonces: new NonceCache({
      startedAt,
      newestCreated: readNewestCreated(newest),
      keepNewestCreated: (created) => keepNewestCreated(newest, created),
    }),
    now: Date.now,
    sign(call, keyId) {
      const key = own.keys().find(({id}) => id === keyId);
      if (key === undefined) throw new Error(`the worker has no key ${keyId}`);
      return attestCall(call, key);
    },
  });
}

function readTls(
  files: HostWorkerOptions['tls'],
): {cert: string; key: string; clientCa: string | undefined} | undefined {
  if (files === undefined) return undefined;
  const {cert, key, clientCa} = files;
  return {
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
    clientCa: clientCa === undefined ? undefined : readFileSync(clientCa, 'utf8'),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function workerName(): string {
  const name = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-');
  return /^[a-z0-9]/.test(name) ? name.slice(0, 63) : 'worker';
}
