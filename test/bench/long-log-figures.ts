// What a process pays to ask a first question of a long log: with its index there, and with none.
import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {createProcessRegistry, openFileState, openSigningKeys, openWorkspaceLog} from '@lumenflow/kernel/node';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {median} from './statistics.ts';
import {receiptOf, writeLongLog} from './write-long-log.ts';

const rssMibMax = 200;
const program = join(import.meta.dirname, 'first-query.mjs');
const run = promisify(execFile);

interface Answer {
  readonly answer: unknown;
  readonly ms: number;
  readonly rss_mib: number;
}

export async function* longLogFigures(effort: Effort): AsyncGenerator<Figure> {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-bench-'));
  const records = operations(effort, 1_000_000);
  const stateFolder = join(root, 'kernel');
  const ask = async (question: string): Promise<Answer> => {
    const {stdout} = await run(process.execPath, [program, stateFolder, join(root, 'keys'), question]);
    const answer = JSON.parse(stdout) as Answer;
    if (answer.rss_mib > rssMibMax) throw new Error(`a query of ${records} records took ${answer.rss_mib} MiB`);
    return answer;
  };
  try {
    writeLongLog(join(stateFolder, 'evidence', 'traces'), records);
    // A log in use is signed every few thousand records; what is not signed is read at every start.
    const state = await openFileState({stateFolder, processes: createProcessRegistry()});
    const signed = await openWorkspaceLog(state, {keys: await openSigningKeys({keyFolder: join(root, 'keys')})});
    await signed.checkpoint();
    await signed.close();
    await state.close();
    const one = receiptOf(Math.floor(records / 4));
    const title = `a log of ${records} records opened and asked`;
    const first = await ask(one);
    yield {id: 'long-log.unindexed', title: `${title}, no index`, unit: 'ms', runs: 1, p50: first.ms};
    for (const question of [one, 'read']) {
      const answers: Answer[] = [];
      for (let run = 0; run < effort.runs; run += 1) answers.push(await ask(question));
      const [id, words] = question === 'read' ? ['page', 'for a page'] : ['receipt', 'for a receipt'];
      yield {
        id: `long-log.${id}`,
        title: `${title} ${words}`,
        unit: 'ms',
        runs: effort.runs,
        p50: median(answers.map(({ms}) => ms)),
        bar: {of: 'value', limit: 1_500},
      };
    }
  } finally {
    rmSync(root, {recursive: true});
  }
}
