// What a scenario's operations meet on Linux: tried by a handler in a real bubblewrap sandbox, over real files.
import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo, type Server} from 'node:net';
import {dirname, join} from 'node:path';
import type {Invocation} from '@lumenflow/schemas';
import {compileProfile} from '../../profile/compile-profile.ts';
import {createHostFiles} from '../../profile/host-files.ts';
import type {CompiledProfile} from '../../profile/profile-input.ts';
import {globMatcher} from '../glob-matcher.fixture.ts';
import {createBench, type Bench} from '../sandbox-bench.fixture.ts';
import {operationOf, type SandboxScenario, type Verdict} from './sandbox-scenario.fixture.ts';
import {valueOf} from '../value-of.fixture.ts';

export interface LinuxJudge {
  judge(scenario: SandboxScenario): Promise<Readonly<Record<string, Verdict>>>;
  remove(): Promise<void>;
}

/** Tries each of `[verb, path or port]` and answers what happened: `allow`, or the code of its error. */
const handler = `
import fs from 'node:fs';
import net from 'node:net';
const attempts = {
  read: (path) => fs.closeSync(fs.openSync(path, 'r')),
  list: (path) => fs.readdirSync(path),
  write: (path) => fs.closeSync(fs.openSync(path, 'r+')),
  create: (path) => (fs.closeSync(fs.openSync(path, 'wx')), fs.unlinkSync(path)),
  delete: (path) => (fs.unlinkSync(path), fs.writeFileSync(path, '')),
  rename: (path) => (fs.renameSync(path, path + '.moved'), fs.renameSync(path + '.moved', path)),
  link: (path) => (fs.linkSync(path, path + '.linked'), fs.unlinkSync(path + '.linked')),
  connect: ({host, port}) => new Promise((done, fail) => {
    const socket = net.connect({host, port}).on('error', fail).on('data', () => { socket.destroy(); done(); });
    socket.setTimeout(5000, () => { socket.destroy(); fail(Object.assign(new Error(), {code: 'hangs'})); });
  }),
  listen: () => new Promise((done, fail) => {
    const server = net.createServer().on('error', fail).listen(0, '127.0.0.1', () => server.close(done));
  }),
};
export async function run(input) {
  const answers = [];
  for (const [verb, on] of input) {
    try {
      await attempts[verb](on);
      answers.push('allow');
    } catch (error) {
      if (typeof error.code !== 'string') throw error;
      answers.push(error.code);
    }
  }
  return answers;
}
`;

export async function createLinuxJudge(): Promise<LinuxJudge> {
  const bench = await createBench({resolveHost: async () => ['127.0.0.1']});
  const handlerPath = join(bench.folder, 'try-operations.mjs');
  writeFileSync(handlerPath, handler);
  const servers = [await greet(), await greet()];
  const [listed = 0, loopback = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  const hosts: Readonly<Record<string, {readonly host: string; readonly port: number}>> = {
    listed: {host: 'listed.test', port: listed},
    loopback: {host: '127.0.0.1', port: loopback},
    unlisted: {host: '192.0.2.1', port: 443},
    broker: {host: '127.0.0.1', port: 50_080},
  };
  let count = 0;
  return {
    async judge(scenario) {
      count += 1;
      const home = join(bench.folder, `judged-${count}`);
      const workspace = join(home, 'project');
      const absolute = (path: string): string => absoluteIn(path, {home, workspace});
      mkdirSync(workspace, {recursive: true});
      for (const line of scenario.tree) put(absolute, line);
      const texts = Object.keys(scenario.operations);
      const input = texts.map(operationOf).map(({verb, path}) => [verb, hosts[path] ?? absolute(path)]);
      const profile = await compile(scenario, {home, workspace, handlerPath, bench, listed});
      const {output, stderr} = await bench.sandbox.execute({
        profile,
        wallMs: 30_000,
        invocation: {...invocation, handler_entry: `${handlerPath}#run`, workspace_root: workspace, input},
      });
      if (!output.success) throw new Error(`${scenario.name}: ${JSON.stringify(output)} ${stderr}`);
      const answers = output.data as readonly string[];
      return Object.fromEntries(texts.map((text, index) => [text, answers[index] === 'allow' ? 'allow' : 'deny']));
    },
    async remove() {
      for (const server of servers) server.close();
      await bench.remove();
    },
  };
}

const invocation: Omit<Invocation, 'handler_entry' | 'workspace_root' | 'input'> = {
  protocol: 1,
  tool_name: 'judge:try',
  scope_enforced: {read: [], write: [], network: {posture: 'off', allowlist_entries: []}},
  receipt_id: 'rcp-1',
  task_id: 'task-1',
  run_id: 'run-1',
  session_id: 'session-1',
  lane_id: 'lane-1',
  config: {},
  env: {},
};

interface BenchPaths {
  readonly home: string;
  readonly workspace: string;
}

function absoluteIn(path: string, {home, workspace}: BenchPaths): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  if (path.startsWith('$TMPDIR/')) return path.replace('$TMPDIR', '/tmp');
  return path.startsWith('/') ? path : join(workspace, path);
}

function put(absolute: (path: string) => string, line: string): void {
  const [name = '', target] = line.split(' -> ');
  const path = absolute(name);
  mkdirSync(name.endsWith('/') ? path : dirname(path), {recursive: true});
  if (target !== undefined) symlinkSync(target, path);
  else if (!name.endsWith('/')) writeFileSync(path, '');
}

async function compile(
  scenario: SandboxScenario,
  run: BenchPaths & {readonly handlerPath: string; readonly bench: Bench; readonly listed: number},
): Promise<CompiledProfile> {
  const {workspace, bench, listed} = run;
  const posture = scenario.network ?? 'off';
  const entries = posture === 'allowlist' ? [`listed.test:${listed}`, `127.0.0.1/32:${listed}`] : [];
  const compiled = valueOf(
    await compileProfile({
      workspaceRoot: realpathSync(workspace),
      grant: {
        read: [...(scenario.read ?? [])],
        write: [...(scenario.write ?? [])],
        network: {posture, allowlist_entries: entries},
      },
      denyOverlays: scenario.denyOverlays ?? [],
      home: scenario.homeIsWorkspace ? workspace : run.home,
      runtimePaths: [
        ...bench.sandbox.runtimePaths,
        run.handlerPath,
        ...(scenario.runtimePaths ?? []).map((path) => join(workspace, path)),
      ],
      limits: {},
      env: bench.sandbox.baseEnv,
      compilePattern: globMatcher,
      files: createHostFiles(),
    }),
  );
  return compiled;
}

/** A server on the host that greets every client. */
async function greet(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end('hello'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
