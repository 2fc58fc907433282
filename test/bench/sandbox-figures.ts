// What the sandbox adds to a process that bubblewrap starts anyway.
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {existsSync, lstatSync, readlinkSync} from 'node:fs';
import {openBenchSession, type BenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {networkFigures} from './network-figures.ts';
import {openSandboxCall} from './open-sandbox-call.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';
import {transactionFigures} from './transaction-figures.ts';
import {wasmFigures} from './wasm-figures.ts';

export async function* sandboxFigures(effort: Effort): AsyncGenerator<Figure> {
  yield* startFigures(effort);
  yield* networkFigures(effort);
  yield* transactionFigures(effort);
  yield* wasmFigures(effort);
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
  // A runner that ends at once without a word: what is left is setting up and taking down.
  const hardened = await openSandboxCall({nodePath: '/bin/true'}, () => '/bin/true#true');
  const count = operations(effort, 12);
  try {
    yield await compare({
      id: 'sandbox.hardened_true',
      title: 'hardened sandbox around /bin/true',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(count, hardened.run),
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
