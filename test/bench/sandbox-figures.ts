// What the sandbox adds to a process that bubblewrap starts anyway.
import {compileProfile, createHostFiles, createSandbox, createSpawnExecutor} from '@lumenflow/sandbox';
import {existsSync, lstatSync, mkdtempSync, readlinkSync, realpathSync, rmSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';
import {openBenchSession, type BenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {networkFigures} from './network-figures.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';
import {transactionFigures} from './transaction-figures.ts';

export async function* sandboxFigures(effort: Effort): AsyncGenerator<Figure> {
  yield* startFigures(effort);
  yield* networkFigures(effort);
  yield* transactionFigures(effort);
  const cold = await openBenchSession({warmSandboxes: false});
  const warm = await openBenchSession();
  try {
    yield* callFigures(effort, cold, warm);
  } finally {
    await Promise.all([cold.close(), warm.close()]);
  }
}

async function* callFigures(effort: Effort, cold: BenchSession, warm: BenchSession): AsyncGenerator<Figure> {
  const count = operations(effort, 6);
  const coldCalls = oneByOne(count, () => cold.call('noop:sandboxed'));
  yield await compare({
    id: 'sandbox.cold_call',
    title: 'cold sandboxed no-op',
    unit: 'ms',
    runs: effort.runs,
    sample: coldCalls,
    baseline: {
      title: 'bwrap --unshare-all node -e 0',
      sample: oneByOne(count, () => runBare([process.execPath, '-e', '0'])),
    },
    bar: {of: 'ratio', limit: 1.6},
  });
  const warmCalls = servedBySpares(count, warm.host.sandbox, () => warm.call('noop:sandboxed'));
  yield await compare({
    id: 'sandbox.warm_call',
    title: 'warm sandboxed no-op, with its evidence',
    unit: 'ms',
    runs: effort.runs,
    sample: warmCalls,
    bar: {of: 'value', limit: 6},
  });
  yield await compare({
    id: 'sandbox.warm_against_cold',
    title: 'warm sandboxed no-op, against cold',
    unit: 'ms',
    runs: effort.runs,
    sample: warmCalls,
    baseline: {title: 'the same call, cold', sample: coldCalls},
    bar: {of: 'ratio', limit: 0.1},
  });
}

async function* startFigures(effort: Effort): AsyncGenerator<Figure> {
  const hardened = await openHardened();
  const count = operations(effort, 12);
  try {
    yield await compare({
      id: 'sandbox.hardened_true',
      title: 'hardened sandbox around /bin/true',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(count, hardened.runTrue),
      baseline: {title: 'bwrap --unshare-all /bin/true', sample: oneByOne(count, () => runBare(['/bin/true']))},
      bar: {of: 'ratio', limit: 2},
    });
  } finally {
    await hardened.close();
  }
}

const executor = createSpawnExecutor();

/** What somebody would write by hand: all namespaces, the system's programs, a /proc and a /dev. */
async function runBare(command: readonly string[]): Promise<void> {
  const args = [...bareArgs, '--', ...command];
  const ended = await executor.run({
    command: 'bwrap',
    args,
    cwd: '/',
    env: {PATH: process.env['PATH'] ?? ''},
    outputSink: {kind: 'capture', maxBytes: 10_000},
  });
  if (ended.exitCode !== 0) throw new Error(`bwrap failed: ${ended.startError ?? ended.stderr}`);
}

const bareArgs: readonly string[] = [
  '--unshare-all',
  '--die-with-parent',
  ...['/usr', '/bin', '/lib', '/lib64'].flatMap(placeArgs),
  ...(process.execPath.startsWith('/usr/') ? [] : ['--ro-bind', process.execPath, process.execPath]),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
];

function placeArgs(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** A sandbox whose runner is /bin/true: it ends at once without a word, so what is left is setting up and taking down. */
async function openHardened(): Promise<{runTrue(): Promise<void>; close(): Promise<void>}> {
  const workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-')));
  const sandbox = createSandbox({searchPath: process.env['PATH'] ?? '', nodePath: '/bin/true'});
  const scopes = {read: ['**'], write: [], network: {posture: 'off' as const, allowlist_entries: []}};
  const compiled = await compileProfile({
    workspaceRoot,
    grant: scopes,
    denyOverlays: [],
    home: homedir(),
    runtimePaths: sandbox.runtimePaths,
    limits: {},
    env: sandbox.baseEnv,
    compilePattern: (pattern) => (path) => path === pattern,
    files: createHostFiles(),
  });
  if (!compiled.ok) throw new Error(compiled.problem);
  const profile = compiled.value;
  const invocation = {
    protocol: 1 as const,
    tool_name: 'bench:true',
    handler_entry: '/bin/true#true',
    input: null,
    scope_enforced: scopes,
    receipt_id: 'rcp-1',
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'session-1',
    lane_id: 'core',
    workspace_root: workspaceRoot,
    config: null,
    env: {},
  };
  return {
    async runTrue() {
      const {exitCode, stderr, output} = await sandbox.execute({profile, invocation, wallMs: 10_000});
      if (exitCode !== 0) throw new Error(`the sandbox failed: ${stderr} ${JSON.stringify(output.error)}`);
    },
    async close() {
      await sandbox.close();
      rmSync(workspaceRoot, {recursive: true});
    },
  };
}
