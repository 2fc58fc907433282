// The cost of transactional writes, compared with the same call that writes directly: both cold, one file written.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openBenchSession} from './bench-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {hashAndSync} from './hash-and-sync.ts';
import {oneByOne} from './samplers.ts';

/** Files of the workspace: an overlay costs the same however many there are. */
const files = 2_000;

export async function* transactionFigures(effort: Effort): AsyncGenerator<Figure> {
  const session = await openBenchSession({warmSandboxes: false});
  fill(session.host.workspaceRoot);
  const count = operations(effort, 6);
  try {
    yield await compare({
      id: 'sandbox.transactional_call',
      title: `cold transactional call that writes a file among ${files}`,
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(count, () => session.call('noop:held-file')),
      baseline: {
        title: 'the same call, writing directly, its file then hashed and synced',
        sample: oneByOne(count, async () => {
          await session.call('noop:file');
          await hashAndSync(join(session.host.workspaceRoot, 'written.txt'));
        }),
      },
      bar: {of: 'ratio', limit: 2},
    });
  } finally {
    await session.close();
  }
}

function fill(root: string): void {
  for (let index = 0; index < files; index++) {
    const folder = join(root, 'files', String(index % 50));
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, `${index}.txt`), 'content');
  }
}
