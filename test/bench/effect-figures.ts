// The cost of a transactional call compared with the same call that writes directly: warm and cold, in a small workspace
// and in a large one.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openBenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {hashAndSync} from './hash-and-sync.ts';
import {largeEffectFigures} from './large-effect-figures.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';

const filesOfFolder = 500;

export async function* effectFigures(effort: Effort): AsyncGenerator<Figure> {
  yield* figuresAmong(200, effort);
  if (effort.long) yield* figuresAmong(200_000, effort);
  yield* largeEffectFigures(effort);
}

async function* figuresAmong(files: number, effort: Effort): AsyncGenerator<Figure> {
  const warm = await openBenchSession();
  const cold = await openBenchSession({warmSandboxes: false});
  for (const {host} of [warm, cold]) fill(host.workspaceRoot, files);
  try {
    const count = operations(effort, 10);
    const figure = async (start: 'warm' | 'cold', what: 'nothing' | 'file', limit: number): Promise<Figure> => {
      const session = start === 'warm' ? warm : cold;
      const sampler = (call: () => Promise<void>) =>
        start === 'warm' ? servedBySpares(count, session.host.sandbox, call) : oneByOne(operations(effort, 6), call);
      const writesFile = what === 'file';
      return await compare({
        id: `effects.${start}_${what}_${files}`,
        title: `${start} transactional call that writes ${writesFile ? 'a file' : what}, among ${files}`,
        unit: 'ms',
        runs: effort.runs,
        sample: sampler(() => session.call(`noop:held-${what}`)),
        baseline: {
          title: `the same call, writing directly${writesFile ? ', its file then hashed and synced' : ''}`,
          sample: sampler(async () => {
            await session.call(`noop:${what}`);
            if (writesFile) await hashAndSync(join(session.host.workspaceRoot, 'written.txt'));
          }),
        },
        bar: {of: 'ratio', limit},
      });
    };
    yield await figure('warm', 'nothing', 1.25);
    yield await figure('warm', 'file', 1.6);
    yield await figure('cold', 'file', 1.15);
  } finally {
    await Promise.all([warm.close(), cold.close()]);
  }
}

function fill(root: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const folder = join(root, 'files', String(Math.floor(index / filesOfFolder)));
    if (index % filesOfFolder === 0) mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, `${index}.txt`), 'content');
  }
}
