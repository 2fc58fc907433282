// A workspace whose programs and agents run on an engine, and the processes of people and workers around it.
import {runProgram} from '@lumenflow/host/exec';
import type {Host, Session} from '@lumenflow/host';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {everything, makeHostWorkspace, type HostWorkspace} from './host-workspace.ts';
import {opened} from './opened.ts';

const program = fileURLToPath(new URL('../../host/lumenflow.mjs', import.meta.url));

export interface Effect {
  readonly key: string;
  readonly receipt_id: string;
}

export interface EngineDesk {
  readonly workspace: HostWorkspace;
  readonly host: Host;
  /** Of the person that starts sessions and approves. */
  readonly session: Session;
  /** `worker --engine` with these arguments. */
  startWorker(...args: readonly string[]): Promise<ChildProcess>;
  startServe(): Promise<ChildProcess>;
  /** Records the run and gives it to the engine; does not wait. Returns its id. */
  startProgram(text: string, inputs?: Readonly<Record<string, unknown>>): Promise<string>;
  effects(): readonly Effect[];
  close(): Promise<void>;
}

export interface EngineDeskWords {
  /** Default: `restate`. */
  readonly engine: Readonly<Record<string, string>>;
  readonly policies?: WorkspaceSpec['policies'];
  /** The turns of scripted models, by profile. */
  readonly scripts?: Readonly<Record<string, readonly object[]>>;
}

export async function openEngineDesk({engine, scripts = {}, policies}: EngineDeskWords): Promise<EngineDesk> {
  const names = Object.keys(scripts);
  const {kind = 'restate'} = engine;
  const [first = 'none'] = names;
  const workspace = makeHostWorkspace({
    ...(names.length > 0 && {firstParty: ['agent-runtime']}),
    copied: {'engine-effects': join(import.meta.dirname, '../crash/engine-pack')},
    pins: {'engine-effects': {trust: 'in_process'}},
    files: Object.fromEntries(names.map((name) => [`agents/${name}.json`, JSON.stringify({turns: scripts[name]})])),
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: everything},
        {id: 'slow', allowed_scopes: everything},
        {id: 'closed', allowed_scopes: everything},
      ],
      engine: {kind: 'restate', ...engine},
      ...(policies && {policies}),
      ...(names.length > 0 && {
        agent_runtime: {
          default_model: first,
          models: Object.fromEntries(
            names.map((name) => [name, {provider: 'scripted', model: name, script: `agents/${name}.json`}]),
          ),
          intents: {
            work: {allow_tools: ['engine:leave']},
            careful: {approval_required_tools: ['engine:leave']},
          },
        },
      }),
    },
  });
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'ada'}));
  const children: ChildProcess[] = [];
  const start = async (args: readonly string[], announcement: string): Promise<ChildProcess> => {
    const child = await startProcess(workspace.root, args, announcement);
    children.push(child);
    return child;
  };
  return {
    workspace,
    host,
    session,
    startWorker: async (...args) => await start(['worker', '--engine', ...args], `that ${kind} assigns`),
    startServe: async () => await start(['serve', '--port', '0'], 'serving'),
    async startProgram(text, inputs = {}) {
      const run = await runProgram(
        host,
        {program: {file: 'run.yaml', text}, inputs, by: 'bob'},
        {signal: AbortSignal.abort()},
      );
      if (run.ok) return run.value.run_id;
      throw new Error(run.problem.message);
    },
    effects: () => readEffects(join(workspace.root, 'effects')),
    async close() {
      await Promise.all(children.map(killProcess));
      await workspace.remove();
    },
  };
}

export async function killProcess(child: ChildProcess): Promise<void> {
  await endProcess(child, 'SIGKILL');
}

/** Resolves with its exit code. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

export async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const {port} = listening.address() as AddressInfo;
  await new Promise((resolve) => listening.close(resolve));
  return port;
}

async function startProcess(cwd: string, args: readonly string[], announcement: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...args], {cwd, stdio: ['ignore', 'pipe', 'pipe']});
  let text = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes(announcement)) resolve();
      });
    child.once('exit', () => reject(new Error(`\`lumenflow ${args.join(' ')}\` ended: ${text}`)));
  });
  return child;
}

function readEffects(folder: string): readonly Effect[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const dot = name.indexOf('.');
    return {key: name.slice(0, dot), receipt_id: name.slice(dot + 1)};
  });
}
