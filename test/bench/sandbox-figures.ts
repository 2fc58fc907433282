// What the sandbox adds to a process that bubblewrap starts anyway.
import {bareBubblewrap} from './bare-bubblewrap.ts';
import {openBenchSession, type BenchSession} from './bench-workspace.ts';
import {bubblewrapFigures} from './bubblewrap-figures.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {networkFigures} from './network-figures.ts';
import {nodeWithModule} from './node-with-module.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';
import {transactionFigures} from './transaction-figures.ts';
import {wasmFigures} from './wasm-figures.ts';

export async function* sandboxFigures(effort: Effort): AsyncGenerator<Figure> {
  yield* bubblewrapFigures(effort);
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
      title: 'bwrap --unshare-all node, which imports a module',
      sample: oneByOne(count, () => bareBubblewrap(nodeWithModule)),
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
