// What the exec facade adds: to a call, to a chain of calls, and how long a search takes among many tools.
import {createExec, createToolCatalogue, type Exec} from '@lumenflow/host/exec';
import {opened} from '../support/opened.ts';
import {labelledQueries, labelledTools} from '../search/measure-recall.ts';
import {openBenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {oneByOne} from './samplers.ts';

const tool = 'noop:read';
const input = {path: 'a/b'};
/** In this process, so that only what the gateway adds crosses threads. */
const local = 'local:noop';

export async function* execFigures(effort: Effort): AsyncGenerator<Figure> {
  const {host, close} = await openBenchSession({handlers: {[local]: {permission: 'read', run: () => null}}});
  try {
    const session = opened(await host.openSession({by: 'exec'}));
    const exec = createExec(host, {session});
    yield* callFigures(effort, exec, () => session.call(tool, input));
    yield* codeFigures(effort, exec, () => session.call(local, input));
  } finally {
    await close();
  }
  yield await searchFigure(effort);
}

async function* callFigures(effort: Effort, exec: Exec, call: () => Promise<unknown>): AsyncGenerator<Figure> {
  const run = (): Promise<unknown> => exec.runTool(tool, input);
  const steps = Array.from({length: 10}, () => ({tool, args: input}));
  const chain = async (): Promise<void> => {
    const {error} = await exec.runChain(steps);
    if (error) throw new Error(error.message);
  };
  const tenCalls = async (): Promise<void> => {
    for (const _ of steps) await call();
  };
  for (const operation of [call, run]) await oneByOne(4_000, operation)();
  const many = operations(effort, 1_000);
  yield await compare({
    id: 'exec.run_tool',
    title: '`runTool` of a no-op on the pool',
    unit: 'ms',
    runs: effort.runs * 2,
    sample: oneByOne(many, run),
    baseline: {title: '`session.call`', sample: oneByOne(many, call)},
    bar: {of: 'ratio', limit: 1.1},
  });
  const few = operations(effort, 100);
  yield await compare({
    id: 'exec.chain',
    title: 'chain of ten no-ops on the pool',
    unit: 'ms',
    runs: effort.runs * 2,
    sample: oneByOne(few, chain),
    baseline: {title: 'ten calls', sample: oneByOne(few, tenCalls)},
    bar: {of: 'ratio', limit: 1.1},
  });
}

async function* codeFigures(effort: Effort, exec: Exec, call: () => Promise<unknown>): AsyncGenerator<Figure> {
  const run = async (code: string): Promise<void> => {
    const {error} = await exec.runCode({language: 'javascript', code});
    if (error) throw new Error(error.message);
  };
  const trivial = (): Promise<void> => run('return 1 + 1;');
  await oneByOne(10, trivial)();
  yield await compare({
    id: 'exec.code',
    title: 'trivial program in QuickJS',
    unit: 'ms',
    runs: effort.runs,
    sample: oneByOne(operations(effort, 50), trivial),
    bar: {of: 'value', limit: 10},
  });
  // As many as one run may make, so that its own start does not count.
  const calls = 1_000;
  const calling = `for (let n = 0; n < ${calls}; n += 1) await tools.local.noop(${JSON.stringify(input)});`;
  yield await compare({
    id: 'exec.gateway_call',
    title: 'call of a local no-op from QuickJS',
    unit: 'ms',
    runs: effort.runs * 2,
    sample: async () => {
      const [time = Number.NaN] = await oneByOne(1, () => run(calling))();
      return [time / calls];
    },
    baseline: {title: '`session.call`', sample: oneByOne(calls, call)},
    bar: {of: 'difference', limit: 0.15},
  });
}

const toolsMax = 10_000;

/** Names differ, words repeat: more of them match a query than in a real catalogue of this size. */
async function searchFigure(effort: Effort): Promise<Figure> {
  const some = labelledTools();
  const tools = Array.from({length: toolsMax}, (_, index) => {
    const declaration = some[index % some.length];
    if (declaration === undefined) throw new Error('no tool is listed');
    return {declaration: {...declaration, name: `${declaration.name}-${Math.floor(index / some.length)}`}};
  });
  const catalogue = createToolCatalogue({
    workspace: {tools: new Map(tools.map((entry) => [entry.declaration.name, entry]))},
  });
  const queries = labelledQueries();
  let next = 0;
  const search = async (): Promise<void> => {
    next = (next + 1) % queries.length;
    if (catalogue.search(queries[next] ?? '').length === 0) throw new Error(`\`${queries[next]}\` finds nothing`);
  };
  await oneByOne(queries.length, search)();
  return await compare({
    id: 'exec.search_10000',
    title: 'search among 10,000 tools',
    unit: 'ms',
    runs: effort.runs,
    sample: oneByOne(queries.length, search),
    bar: {of: 'value', limit: 5},
  });
}
