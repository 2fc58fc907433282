// What a view costs calls that write much: as many files as installing packages makes, one large file, and the memory for it.
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {openBenchSession, type BenchSession} from './bench-workspace.ts';
import {compare, type Sampler} from './compare.ts';
import type {Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {hashAndSync} from './hash-and-sync.ts';

const mebibyte = 1024 * 1024;
/** Of a run; `--quick` shows only what is badly wrong. */
const fileCounts = {quick: 1_000, full: 10_000};
const megabytes = {quick: 100, full: 500};
const memoryMegabytes = {quick: 300, full: 2_048};
const durable = 'the same call, writing directly, its files then hashed and synced';

export async function* largeEffectFigures(effort: Effort): AsyncGenerator<Figure> {
  const session = await openBenchSession({warmSandboxes: false});
  const size = effort.long ? 'full' : 'quick';
  const runs = effort.long ? 5 : 2;
  const timed = (...call: TimedCall): Sampler => timedCall(session, ...call);
  try {
    const tree = {files: fileCounts[size]};
    yield await compare({
      id: 'effects.many_files',
      title: `transactional call that writes ${tree.files.toLocaleString('en')} files`,
      unit: 'ms',
      runs,
      sample: timed('noop:held-tree', tree),
      baseline: {title: durable, sample: timed('noop:tree', tree, 'tree')},
      bar: {of: 'ratio', limit: 1.5},
    });
    const input = {megabytes: megabytes[size]};
    yield await compare({
      id: 'effects.large_file',
      title: `transactional call that writes ${input.megabytes} MB`,
      unit: 'ms',
      runs,
      sample: timed('noop:held-large', input),
      baseline: {title: durable, sample: timed('noop:large', input, 'large.bin')},
      bar: {of: 'ratio', limit: 1.5},
    });
    yield await memoryFigure(session, memoryMegabytes[size]);
  } finally {
    await session.close();
  }
}

/** `written`: what the call writes, where the bench hashes and syncs that. */
type TimedCall = readonly [tool: string, input: Readonly<Record<string, unknown>>, written?: string];

/** Each call finds the workspace as it was before the last. */
function timedCall(session: BenchSession, ...[tool, input, written]: TimedCall): Sampler {
  return async () => {
    const {workspaceRoot} = session.host;
    for (const name of ['tree', 'large.bin']) rmSync(join(workspaceRoot, name), {recursive: true, force: true});
    const started = performance.now();
    await session.call(tool, input);
    if (written !== undefined) await hashAndSync(join(workspaceRoot, written));
    return [performance.now() - started];
  };
}

/** The tool itself may have 256 MiB of memory. */
async function memoryFigure(session: BenchSession, written: number): Promise<Figure> {
  return await compare({
    id: 'effects.memory',
    title: `memory that the host gains while a transactional call writes ${written} MB`,
    unit: 'mib',
    runs: 1,
    async sample() {
      const before = process.memoryUsage.rss();
      let most = before;
      const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
      try {
        await timedCall(session, 'noop:held-large', {megabytes: written})();
      } finally {
        clearInterval(look);
      }
      return [(most - before) / mebibyte];
    },
    bar: {of: 'value', limit: 200},
  });
}
