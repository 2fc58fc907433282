// The clients of the workers that workspace.yaml names.
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import type {RemoteWorker} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SigningKey} from '../signatures/signing-key.ts';
import {createWorkerClient, type WorkerAddress, type WorkerClient} from './worker-client.ts';
import {parseWorkerKey} from './worker-key.ts';

export interface ConnectOptions {
  /** The host's own. */
  readonly key: SigningKey;
  /** Of the paths in workspace.yaml; default: the current directory. */
  readonly workspaceRoot?: string | undefined;
}

export function connectWorkers(
  workers: readonly RemoteWorker[],
  {key, workspaceRoot = ''}: ConnectOptions,
): Outcome<readonly [WorkerClient, ...WorkerClient[]]> {
  const clients: WorkerClient[] = [];
  for (const worker of workers) {
    const address = addressOf(worker, workspaceRoot);
    if (!address.ok) return address;
    clients.push(createWorkerClient(address.value, {key, now: Date.now}));
  }
  const [first, ...others] = clients;
  return first === undefined ? failed(noWorkers) : ok([first, ...others]);
}

function addressOf({name, url, key: text, ...files}: RemoteWorker, root: string): Outcome<WorkerAddress> {
  const key = parseWorkerKey(text);
  if (key === undefined) {
    return failed({
      message: `the key of the worker \`${name}\` is not a public key`,
      help: 'write what `lumenflow worker key` prints on the worker',
    });
  }
  const read = (path: string | undefined): string | undefined => path && readFileSync(resolve(root, path), 'utf8');
  try {
    const tls = {ca: read(files.ca), cert: read(files.client_cert), key: read(files.client_key)};
    return ok({name, url, key, tls});
  } catch (error) {
    const message = `a certificate or key of the worker \`${name}\` cannot be read (${String(error)})`;
    return failed({message, help: 'correct its path in workspace.yaml'});
  }
}

export const noWorkers: SandboxProblem = {
  message: 'no worker is configured',
  help: 'add one with `lumenflow workers add`',
};
