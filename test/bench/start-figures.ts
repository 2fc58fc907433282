// How long somebody waits before the first call, and for the command line's first word.
import {startHost, type Host} from '@lumenflow/host';
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {join} from 'node:path';
import {Piscina} from 'piscina';
import {makeBenchWorkspace} from './bench-workspace.ts';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {reloadFigures} from './reload-figures.ts';
import {oneByOne} from './samplers.ts';
import {opened} from '../support/opened.ts';

const program = join(import.meta.dirname, '../../host/lumenflow.mjs');
const executor = createSpawnExecutor();

export async function* startFigures(effort: Effort): AsyncGenerator<Figure> {
  const {runs} = effort;
  const workspace = await makeBenchWorkspace();
  try {
    const count = operations(effort, 4);
    yield await compare({
      id: 'start.host',
      title: 'startHost to the first answer of a tool',
      unit: 'ms',
      runs,
      sample: startsOnly(count, () => startAndCall(workspace.root)),
      baseline: {title: 'bare Piscina to its first answer', sample: startsOnly(count, startPiscina)},
    });
  } finally {
    workspace.remove();
  }
  const count = operations(effort, 3);
  yield await compare({
    id: 'start.help',
    title: 'lumenflow --help',
    unit: 'ms',
    runs,
    sample: oneByOne(count, () => runNode([program, '--help'])),
    baseline: {title: 'node -e 0', sample: oneByOne(count, () => runNode(['-e', '0']))},
  });
  yield* reloadFigures(effort);
}

/** Times until each is there, not until it is gone. */
function startsOnly(count: number, start: () => Promise<{close(): Promise<void>}>): Sampler {
  return async () => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const started = performance.now();
      const running = await start();
      times.push(performance.now() - started);
      await running.close();
    }
    return times;
  };
}

/** The pack is built already, as on every start but the first. */
async function startAndCall(workspaceRoot: string): Promise<Host> {
  const host = await startHost({workspaceRoot, env: process.env});
  const session = opened(await host.openSession({by: 'bench'}));
  await session.call('noop:read', null);
  await session.complete();
  return host;
}

async function startPiscina(): Promise<{close(): Promise<void>}> {
  const filename = join(import.meta.dirname, 'echo-worker.mjs');
  const piscina = new Piscina({filename, name: 'echo', minThreads: 2, maxThreads: 2, execArgv: []});
  await piscina.run(null);
  return {close: () => piscina.destroy()};
}

async function runNode(args: readonly string[]): Promise<void> {
  const ended = await executor.run({
    command: process.execPath,
    args,
    cwd: '/',
    env: {PATH: process.env['PATH'] ?? ''},
    outputSink: {kind: 'capture', maxBytes: 100_000},
  });
  if (ended.exitCode !== 0) throw new Error(`node ${args.join(' ')} failed: ${ended.stderr}`);
}
