// How figures grow with the size of a workspace: records in the log, rules of the policy, tools of its packs.
// Each row's ratio is to the smallest size of its series.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createProcessRegistry, openFileState} from '@lumenflow/kernel/node';
import {createStage} from '../support/stage.ts';
import {memoryState} from '../support/state-home.ts';
import {examplePack} from '../support/example-pack.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import {toolsOfPacks} from '../support/tools-of-packs.ts';
import type {Figure} from './figure.ts';
import {openLoneKernel} from './lone-kernel.ts';
import {rulesAboutOtherTools} from './many-rules.ts';
import {oneByOne} from './samplers.ts';
import {receiptOf, writeLongLog} from './write-long-log.ts';

/** Something of a certain size that is measured, and then put away. */
interface Subject {
  operation(): Promise<unknown>;
  close(): Promise<void>;
}

interface Series {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  /** Operations in a run. */
  readonly count: number;
  open(size: number): Promise<Subject>;
}

export async function* scalingFigures(effort: Effort): AsyncGenerator<Figure> {
  const records = [1_000, 10_000, 100_000, ...(effort.long ? [1_000_000] : [])];
  yield* growth(effort, {id: 'records', what: 'receipt', unit: 'records', sizes: records, count: 100, open: openLog});
  yield* growth(effort, {
    id: 'rules',
    what: 'kernel alone',
    unit: 'rules',
    sizes: [10, 100, 1_000, 5_000],
    count: 2_000,
    open: openRules,
  });
  yield* growth(effort, {
    id: 'tools',
    what: 'listGovernedTools',
    unit: 'tools',
    sizes: [10, 100, 1_000],
    count: 20,
    open: openTools,
  });
}

async function* growth(effort: Effort, {id, what, unit, sizes, count, open}: Series): AsyncGenerator<Figure> {
  const [smallest = 0] = sizes;
  const base = await open(smallest);
  try {
    for (const size of sizes) {
      effort.report(`opening ${size.toLocaleString('en')} ${unit}`);
      const subject = size === smallest ? base : await open(size);
      yield await compare({
        id: `scaling.${id}_${size}`,
        title: `${what}, ${size.toLocaleString('en')} ${unit}`,
        unit: 'ms',
        runs: effort.runs,
        sample: oneByOne(operations(effort, count), subject.operation),
        baseline: {
          title: `${smallest.toLocaleString('en')} ${unit}`,
          sample: oneByOne(operations(effort, count), base.operation),
        },
      });
      if (subject !== base) await subject.close();
    }
  } finally {
    await base.close();
  }
}

/** One receipt of an open log, its index there. */
async function openLog(records: number): Promise<Subject> {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-bench-'));
  const stateFolder = join(root, 'kernel');
  writeLongLog(join(stateFolder, 'evidence', 'traces'), records);
  const processes = createProcessRegistry();
  const state = await openFileState({stateFolder, processes});
  let call = 0;
  const operation = async (): Promise<void> => {
    call = (call + 7_919) % (records / 2 - 100);
    const receipt = await state.evidence.receipt(receiptOf(call + 1));
    if (receipt === undefined) throw new Error(`call ${call + 1} is not in the log`);
  };
  await operation();
  return {
    operation,
    async close() {
      await state.close();
      rmSync(root, {recursive: true});
    },
  };
}

async function openRules(count: number): Promise<Subject> {
  const {call, close} = await openLoneKernel(rulesAboutOtherTools(count));
  return {operation: call, close};
}

async function openTools(count: number): Promise<Subject> {
  const stage = createStage(memoryState);
  const tools = Array.from({length: count}, (_, index) => ({name: `many:tool-${index}`}));
  const runtime = await stage.open({packs: [examplePack({id: 'many', tools})]});
  const context = await runtime.startTask();
  return {
    async operation() {
      const listed = toolsOfPacks(await runtime.listGovernedTools(context));
      if (listed.length !== count) throw new Error(`${listed.length} of ${count} tools were listed`);
    },
    close: () => stage.close(),
  };
}
