// What the kernel adds to a call on the thread pool, and what its decisions cost alone.
import {closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {Piscina} from 'piscina';
import {openBenchSession, type BenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {openLoggedPiscina, type LoggedPiscina} from './logged-piscina.ts';
import {openLoneKernel} from './lone-kernel.ts';
import {
  rulesAboutOtherCommands,
  rulesAboutOtherOutputs,
  rulesAboutOtherPermissions,
  rulesAboutOtherTools,
  rulesAboutOtherValues,
  rulesAboutTaint,
} from './many-rules.ts';
import {manyAtOnce, oneByOne} from './samplers.ts';

const atOnce = 64;

export async function* kernelFigures(effort: Effort): AsyncGenerator<Figure> {
  const piscina = new Piscina({
    filename: join(import.meta.dirname, 'echo-worker.mjs'),
    name: 'echo',
    minThreads: 2,
    maxThreads: 2,
    execArgv: [],
  });
  const session = await openBenchSession();
  const logged = openLoggedPiscina(piscina);
  try {
    const bare = (): Promise<unknown> => piscina.run({path: 'a/b'});
    // A kernel is long-running: it is measured after its code, and the baselines', is fully optimised.
    for (const operation of [() => session.call('noop:read'), bare, logged.call]) {
      await oneByOne(4_000, operation)();
      await manyAtOnce(40_000, atOnce, operation)();
    }
    yield* poolFigures(effort, session, bare);
    yield* loggedFigures(effort, session, logged);
    yield* durableFigures(effort, session, bare);
  } finally {
    await session.close();
    logged.close();
    await piscina.destroy();
  }
  yield* decisionFigures(effort);
}

async function* poolFigures(
  effort: Effort,
  session: BenchSession,
  bare: () => Promise<unknown>,
): AsyncGenerator<Figure> {
  const {runs} = effort;
  const read = (): Promise<void> => session.call('noop:read');
  // Short runs and many: what else the machine does changes a round trip manyfold, and must meet both alike.
  const few = operations(effort, 150);
  yield await compare({
    id: 'kernel.pool_sequential',
    title: 'governed no-op on the pool, one by one',
    unit: 'ms',
    runs: runs * 4,
    sample: oneByOne(few, read),
    baseline: {title: 'bare Piscina', sample: oneByOne(few, bare)},
  });
  const many = operations(effort, 5_000);
  yield await compare({
    id: 'kernel.pool_concurrent',
    title: `governed no-op on the pool, ${atOnce} at once`,
    unit: 'per_second',
    runs,
    sample: manyAtOnce(many, atOnce, read),
    baseline: {title: 'bare Piscina', sample: manyAtOnce(many, atOnce, bare)},
  });
}

/**
 * One thread decides, records and hands out all calls. The faster a machine wakes its threads, the smaller the pool's part of that
 * time, so a ratio to the pool alone measures the machine. The baseline keeps a log, too. The bar applies to these.
 */
async function* loggedFigures(effort: Effort, session: BenchSession, logged: LoggedPiscina): AsyncGenerator<Figure> {
  const few = operations(effort, 150);
  yield await compare({
    id: 'kernel.pool_logged_sequential',
    title: 'governed no-op on the pool, one by one, beside a log',
    unit: 'ms',
    runs: effort.runs * 4,
    sample: oneByOne(few, () => session.call('noop:read')),
    baseline: {title: 'Piscina with two chained records a call', sample: oneByOne(few, logged.call)},
    bar: {of: 'ratio', limit: 2},
  });
  const many = operations(effort, 5_000);
  yield await compare({
    id: 'kernel.pool_logged',
    title: `the same, ${atOnce} at once, beside a log`,
    unit: 'per_second',
    runs: effort.runs,
    sample: manyAtOnce(many, atOnce, () => session.call('noop:read')),
    baseline: {title: 'Piscina with two chained records a call', sample: manyAtOnce(many, atOnce, logged.call)},
    bar: {of: 'ratio', limit: 0.7},
  });
}

/** The intent of a tool that writes is on disk before it runs. */
async function* durableFigures(
  effort: Effort,
  session: BenchSession,
  bare: () => Promise<unknown>,
): AsyncGenerator<Figure> {
  const {runs} = effort;
  const write = (): Promise<void> => session.call('noop:write');
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-bench-'));
  const fd = openSync(join(folder, 'lines'), 'a');
  const line = Buffer.alloc(1_024, 'x');
  const sync = promisify(fdatasync);
  const appendAndSync = async (): Promise<void> => {
    writeSync(fd, line);
    await sync(fd);
  };
  try {
    const few = operations(effort, 80);
    yield await compare({
      id: 'kernel.durable_sequential',
      title: 'governed writing no-op, one by one',
      unit: 'ms',
      runs,
      sample: oneByOne(few, write),
      baseline: {title: '1 KiB appended + fdatasync', sample: oneByOne(few, appendAndSync)},
    });
  } finally {
    closeSync(fd);
    rmSync(folder, {recursive: true});
  }
  const many = operations(effort, 1_500);
  yield await compare({
    id: 'kernel.durable_concurrent',
    title: `governed writing no-op, ${atOnce} at once`,
    unit: 'per_second',
    runs,
    sample: manyAtOnce(many, atOnce, write),
    baseline: {title: 'bare Piscina', sample: manyAtOnce(many, atOnce, bare)},
  });
}

/** The pipeline with a handler and a journal that cost nothing. */
async function* decisionFigures(effort: Effort): AsyncGenerator<Figure> {
  const count = operations(effort, 3_000);
  const few = await openLoneKernel(rulesAboutOtherTools(10));
  try {
    for (const [id, words, rules] of [
      ['1000_rules', '1,000 rules on tools', rulesAboutOtherTools(1_000)],
      ['1000_argument_rules', '1,000 rules on an argument', rulesAboutOtherValues(1_000)],
      ['1000_permission_rules', '1,000 rules on permission', rulesAboutOtherPermissions(1_000)],
    ] as const) {
      const many = await openLoneKernel(rules);
      yield await compare({
        id: `kernel.alone_${id}`,
        title: `kernel alone, ${words}`,
        unit: 'ms',
        runs: effort.runs,
        sample: oneByOne(count, many.call),
        baseline: {title: 'the same, 10 rules', sample: oneByOne(count, few.call)},
        bar: {of: 'value', limit: 0.025},
      });
      await many.close();
    }
    yield* matcherFigures(effort);
  } finally {
    await few.close();
  }
}

/** What conditions beyond globs cost, against as many globs. */
async function* matcherFigures(effort: Effort): AsyncGenerator<Figure> {
  const count = operations(effort, 3_000);
  const globs = await openLoneKernel(rulesAboutOtherValues(1_000));
  try {
    for (const [id, words, rules] of [
      ['command', 'commands', rulesAboutOtherCommands(1_000)],
      ['taint', 'taint', rulesAboutTaint(1_000)],
    ] as const) {
      const many = await openLoneKernel(rules);
      yield await compare({
        id: `kernel.alone_1000_${id}_rules`,
        title: `kernel alone, 1,000 rules on ${words}`,
        unit: 'ms',
        runs: effort.runs,
        sample: oneByOne(count, many.call),
        baseline: {title: '1,000 rules on an argument', sample: oneByOne(count, globs.call)},
        bar: {of: 'ratio', limit: 1.5},
      });
      await many.close();
    }
  } finally {
    await globs.close();
  }
  yield await outputFigure(effort);
}

/** Judging a result costs something with one rule, too. */
async function outputFigure(effort: Effort): Promise<Figure> {
  const count = operations(effort, 3_000);
  const few = await openLoneKernel(rulesAboutOtherOutputs(10));
  const many = await openLoneKernel(rulesAboutOtherOutputs(1_000));
  try {
    return await compare({
      id: 'kernel.alone_1000_output_rules',
      title: 'kernel alone, 1,000 rules on outputs',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(count, many.call),
      baseline: {title: '10 rules on outputs', sample: oneByOne(count, few.call)},
      bar: {of: 'ratio', limit: 1.5},
    });
  } finally {
    await many.close();
    await few.close();
  }
}
