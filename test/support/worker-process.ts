// A worker as another process, with keys in a separate folder.
import type {SandboxOptions} from '@lumenflow/sandbox';
import type {RemoteWorker} from '@lumenflow/schemas';
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {createPrivateKey} from 'node:crypto';
import {chownSync, mkdtempSync, readFileSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {become, type ProgramUser} from './lumenflow-program.ts';
import {removeTree} from './remove-tree.ts';

const program = join(import.meta.dirname, '../../host/lumenflow.mjs');

export interface WorkerProcess {
  readonly pid: number;
  /** For workspace.yaml. */
  readonly listed: RemoteWorker;
  /** Of the host that it trusts. */
  readonly workerKey: NonNullable<SandboxOptions['workerKey']>;
  kill(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

export interface WorkerProcessOptions {
  readonly name?: string;
  /** Of `lumenflow worker`. */
  readonly args?: readonly string[];
  readonly user?: ProgramUser;
  /** Prefix of its command, for example of a network around it. */
  readonly inside?: readonly string[];
  /** Default: a free port of the loopback. */
  readonly listen?: string;
  /** Its XDG_STATE_HOME, and that of its host: empty; default a new one. */
  readonly folder?: string;
}

export async function startWorkerProcess({
  name = 'process',
  args = [],
  user,
  inside = [],
  listen = '127.0.0.1:0',
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-worker-process-'))),
}: WorkerProcessOptions = {}): Promise<WorkerProcess> {
  if (user?.uid !== undefined) chownSync(folder, user.uid, user.uid);
  const prefix = user === undefined ? [] : become(user);
  const env = {...process.env, XDG_STATE_HOME: folder};
  const hostKey = run(prefix, ['workers', 'key'], env);
  const key = run(prefix, ['worker', 'key'], env);
  run(prefix, ['worker', 'trust', hostKey], env);
  const privateKey = createPrivateKey(
    readFileSync(join(folder, 'lumenflow/host/keys/1.key'), 'utf8').replace(/^Name: .*\n/u, ''),
  );
  const [command, ...before] = commandAs([...inside, ...prefix]);
  const child = spawn(command, [...before, program, 'worker', '--json', '--listen', listen, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await announcedUrl(child);
  return {
    pid: child.pid ?? 0,
    listed: {name, url, key},
    workerKey: async () => ({ok: true, value: {id: hostKey.split('+', 2).join('+'), privateKey}}),
    async kill(signal) {
      child.kill(signal);
      await ended;
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      removeTree(folder);
    },
  };
}

function run(prefix: readonly string[], args: readonly string[], env: NodeJS.ProcessEnv): string {
  const [command, ...before] = commandAs(prefix);
  const {status, stdout, stderr} = spawnSync(command, [...before, program, ...args], {env, encoding: 'utf8'});
  if (status !== 0) throw new Error(`\`lumenflow ${args.join(' ')}\` failed: ${stderr}`);
  return stdout.trim();
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    printed += chunk.toString();
    const url = /"url":\s*"([^"]+)"/.exec(printed)?.[1];
    if (url !== undefined) {
      child.stdout?.resume();
      return url;
    }
  }
  throw new Error(`the worker did not start: ${printed}`);
}

/** Node, as the user that the prefix becomes. */
function commandAs([first, ...rest]: readonly string[]): readonly [string, ...string[]] {
  return first === undefined ? [process.execPath] : [first, ...rest, process.execPath];
}
