// Records the histories of this folder, which the workflow must replay as long as a server can have runs like them. A change of the workflow
// that they do not survive would strand the runs of everybody that updates. Recorded with LUMENFLOW_RECORD_HISTORIES=1.
import type {Engine} from '@lumenflow/kernel/adapters';
import {createScriptedWork, type ScriptedStep, type ScriptedWork} from '@lumenflow/kernel/conformance';
import {Client, Connection} from '@temporalio/client';
import proto from '@temporalio/proto';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createEngine} from '../create-engine.ts';
import {eventsMax} from '../front-end/execution.fixture.ts';
import {startFrontEnd} from '../front-end/start-front-end.fixture.ts';
import {startEngineWorker} from '../start-engine-worker.ts';
import {workflowIdOf} from '../temporal-settings.ts';

interface Recorded {
  readonly steps: readonly ScriptedStep[];
  /** After the run was started, until it is where its history ends. */
  until(engine: Engine, work: ScriptedWork): Promise<void>;
}

const {History} = proto.temporal.api.history.v1;
const run_id = 'run-1';
const ended = async (engine: Engine): Promise<void> => void (await engine.wait(run_id));
const answeredToEnd =
  (...requests: readonly string[]): Recorded['until'] =>
  async (engine, work) => {
    for (const request of requests) {
      while ((await engine.query(run_id))?.waits_for?.includes(request) !== true) await engine.wait(run_id);
      work.answer(request);
      await engine.signal(run_id, [request]);
    }
    await ended(engine);
  };

const histories: Readonly<Record<string, Recorded>> = {
  ended: {steps: [{do: 'a'}], until: ended},
  'failed-twice-then-ended': {steps: [{fail: 2}, {do: 'a'}], until: ended},
  parked: {steps: [{fail: 9}], until: ended},
  refused: {steps: [{refuse: 1}], until: ended},
  waiting: {steps: [{do: 'a'}, {ask: ['r1', 'r2']}], until: ended},
  'answered-twice': {
    steps: [{ask: ['r1']}, {do: 'a'}, {ask: ['r2']}],
    until: answeredToEnd('r1', 'r2'),
  },
  // Of the last execution, which began with what the one before it had counted.
  continued: {steps: [{ask: ['r1']}, {later: 2 * eventsMax}, {do: 'a'}], until: answeredToEnd('r1')},
  'prevented-then-answered': {
    steps: [{later: 1}, {ask: ['r1']}, {do: 'a'}],
    until: answeredToEnd('r1'),
  },
  'cancelled-while-waiting': {
    steps: [{ask: ['r1']}],
    async until(engine) {
      await engine.wait(run_id);
      await engine.cancel(run_id);
    },
  },
};

export async function recordHistories(): Promise<void> {
  for (const [name, recorded] of Object.entries(histories)) {
    const text = await recordHistory(recorded);
    writeFileSync(join(import.meta.dirname, `${name}.json`), text);
  }
}

async function recordHistory({steps, until}: Recorded): Promise<string> {
  const frontEnd = await startFrontEnd();
  const settings = {address: frontEnd.address};
  const work = createScriptedWork();
  work.add(run_id, steps);
  const worker = await startEngineWorker(settings, work);
  const engine = createEngine(settings, {firstMs: 10, mostMs: 20, attemptsMax: 3});
  const connection = await Connection.connect(settings);
  try {
    await engine.start(run_id);
    await until(engine, work);
    const {workflow} = new Client({connection});
    const history = await workflow.getHandle(workflowIdOf(settings, run_id)).fetchHistory();
    return withoutMachine(history);
  } finally {
    await connection.close();
    await engine.close();
    await worker.close();
    frontEnd.close();
  }
}

/** Without names of the machine that recorded it, and without its paths. */
function withoutMachine(history: proto.temporal.api.history.v1.IHistory): string {
  const replaced: Readonly<Record<string, string>> = {identity: 'worker', stackTrace: ''};
  const plain = History.toObject(History.create(history), {enums: String, longs: String, bytes: String});
  return `${JSON.stringify(plain, (key, value: unknown) => replaced[key] ?? value, 2)}\n`;
}

export interface RecordedHistory {
  readonly workflowId: string;
  readonly history: proto.temporal.api.history.v1.IHistory;
}

export function readHistories(): readonly RecordedHistory[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
  return names.map((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    return {workflowId: name.slice(0, -'.json'.length), history: History.fromObject(JSON.parse(text) as object)};
  });
}
