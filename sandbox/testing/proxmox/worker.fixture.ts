// The program of the worker in containers of the stand-in for Proxmox VE, with keys of the test.
import {createPrivateKey, createPublicKey} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {NonceCache} from '../../signatures/nonce-cache.ts';
import {startWorker} from '../../start-worker.ts';
import {attestForTest} from '../attest-for-test.fixture.ts';
import type {WorkerFile} from './worker-template.fixture.ts';

const path = process.argv[2] ?? '';
const {hostKey, ownKey} = JSON.parse(readFileSync(path, 'utf8')) as WorkerFile;
const programs = dirname(process.argv[1] ?? '');
const port = 7070;

async function main(): Promise<void> {
  const key = {id: ownKey.id, privateKey: createPrivateKey(ownKey.pem)};
  const worker = await startWorker({
    host: '0.0.0.0',
    port,
    tls: undefined,
    name: 'template',
    version: '0.0.0',
    backend: 'bubblewrap',
    searchPath: '/usr/bin:/bin',
    slots: 4,
    cacheFolder: '/var/tmp/cache',
    cacheBytesMax: 1024 ** 3,
    runnerPath: join(programs, 'runner.cjs'),
    networkHolderPath: join(programs, 'network-holder.cjs'),
    ownKeys: () => [key],
    hostKeys: () => new Map([[hostKey.id, createPublicKey(hostKey.pem)]]),
    nonces: new NonceCache({startedAt: Date.now(), newestCreated: 0, keepNewestCreated: () => undefined}),
    now: Date.now,
    sign: (call) => attestForTest(call, key),
  });
  if (!worker.ok) throw new Error(worker.problem.message);
}

void main();
