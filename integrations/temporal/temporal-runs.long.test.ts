// What is Temporal's own: several workers of one queue, workers that do not report, long histories and their replay, and what the server sees.
import {createScriptedWork, type ScriptedWork} from '@lumenflow/kernel/conformance';
import {Client, Connection} from '@temporalio/client';
import {Worker} from '@temporalio/worker';
import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {createEngine} from './create-engine.ts';
import {eventsMax} from './front-end/execution.fixture.ts';
import {startFrontEnd, type FrontEnd} from './front-end/start-front-end.fixture.ts';
import {startEngineWorker, type TemporalWorker} from './start-engine-worker.ts';
import {taskQueueOf, workflowIdOf, type TemporalSettings} from './temporal-settings.ts';

const retry = {firstMs: 10, mostMs: 20, attemptsMax: 3, heartbeatMs: 60_000};
/** Each worker bundles its workflow first. */
const limitMs = 600_000;
const patience = {timeout: 120_000, interval: 50};

let frontEnd: FrontEnd;
let settings: TemporalSettings;
let workers: TemporalWorker[];
let work: ScriptedWork;

beforeEach(async () => {
  frontEnd = await startFrontEnd();
  settings = {address: frontEnd.address, namespace: `test_${randomBytes(4).toString('hex')}`};
  workers = [];
  work = createScriptedWork();
});
afterEach(async () => {
  work.letGo();
  await Promise.all(workers.map((worker) => worker.close()));
  frontEnd.close();
});

it('lets two workers share the runs of one queue, and a closed one finishes what it has', async () => {
  const counts = [0, 0];
  for (const index of counts.keys()) {
    const advance: ScriptedWork['advance'] = async (run_id, signal) => {
      counts[index] = (counts[index] ?? 0) + 1;
      return await work.advance(run_id, signal);
    };
    workers.push(await startEngineWorker(settings, {...work, advance}, {slots: 2}));
  }
  const engine = createEngine(settings, retry);
  const ids = ['run-1', 'run-2', 'run-3', 'run-4'];
  for (const id of [...ids, 'run-5']) work.add(id, [{hold: true}, {do: 'a'}]);
  for (const id of ids) await engine.start(id);
  await vi.waitFor(() => expect(work.underWay).toBe(4), patience);
  expect(counts).toEqual([2, 2]);
  const [first, second] = workers as [TemporalWorker, TemporalWorker];
  const closed = first.close();
  await engine.start('run-5');
  work.letGo();
  await closed;
  workers = [second];
  for (const id of ids) expect(await engine.wait(id)).toBeUndefined();
  await vi.waitFor(() => expect(work.underWay).toBe(1), patience);
  work.letGo();
  expect(await engine.wait('run-5')).toBeUndefined();
  expect(counts).toEqual([2, 3]);
  expect(work.effects.toSorted()).toEqual([...ids, 'run-5'].map((id) => `${id} a`));
  await engine.close();
});

it(
  'parks a run whose attempts end each worker, and does not give it out for ever',
  async () => {
    const deathsMax = 2;
    const engine = createEngine(settings, {...retry, attemptsMax: deathsMax, heartbeatMs: 10_000});
    await engine.start('run-1');
    const program = fileURLToPath(new URL('./front-end/dying-worker.fixture.ts', import.meta.url));
    const args = ['--import', 'tsx', '--conditions', '@lumenflow/source', program, JSON.stringify(settings)];
    for (let deaths = 0; deaths < deathsMax; deaths += 1) {
      const [, signal] = (await once(spawn(process.execPath, args, {stdio: 'inherit'}), 'exit')) as [null, string];
      expect(signal).toBe('SIGKILL');
    }
    // The server waits for heartbeats, and the workflow needs a worker to fail.
    workers.push(await startEngineWorker(settings, work));
    expect(await engine.wait('run-1')).toEqual({
      state: 'parked',
      reason: 'workers ended, or did not report, during the attempts',
      since: expect.any(String) as string,
    });
    await engine.close();
  },
  limitMs,
);

it('sends a part of a long reason to the server', async () => {
  const advance = (): never => {
    throw new Error('x'.repeat(100_000));
  };
  workers.push(await startEngineWorker(settings, {...work, advance}));
  const engine = createEngine(settings, retry);
  await engine.start('run-1');
  const parked = await engine.wait('run-1');
  expect(parked?.state).toBe('parked');
  expect(parked?.reason?.length).toBeLessThan(2_100);
  await engine.close();
});

it('continues long runs as new executions, and their histories replay', async () => {
  workers.push(await startEngineWorker(settings, work));
  const engine = createEngine(settings, retry);
  const run = work.add('run-1', [{do: 'a'}, {ask: ['r1']}, {later: eventsMax}, {fail: 1}, {do: 'b'}]);
  await engine.start('run-1');
  await engine.wait('run-1');
  const {client, close} = await connected();
  const workflowId = workflowIdOf(settings, 'run-1');
  const first = await client.workflow.getHandle(workflowId).describe();
  work.answer('r1');
  expect(await engine.signal('run-1', ['r1'])).toBe(true);
  expect(await engine.wait('run-1')).toBeUndefined();
  expect(work.effects).toEqual(['run-1 a', 'run-1 b']);
  expect(run.attempts).toBe(eventsMax + 3);
  const last = await client.workflow.getHandle(workflowId).describe();
  expect(last.runId).not.toBe(first.runId);
  const workflowsPath = fileURLToPath(new URL('./run-workflow.ts', import.meta.url));
  for (const runId of [first.runId, last.runId]) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await Worker.runReplayHistory({workflowsPath}, history, workflowId);
    const changed = fileURLToPath(new URL('./changed/run-workflow.fixture.ts', import.meta.url));
    await expect(Worker.runReplayHistory({workflowsPath: changed}, history, workflowId)).rejects.toThrow(
      /[Nn]ondeterminism/u,
    );
    // Ids of the run and of requests, and no more.
    expect(JSON.stringify(history).length).toBeLessThan(200_000);
  }
  await close();
  await engine.close();
});

it('names what is absent: the server, the API key, a certificate', async () => {
  const absent = {address: '127.0.0.1:9', namespace: 'none'};
  await expect(startEngineWorker(absent, work)).rejects.toThrow('the Temporal server at 127.0.0.1:9 does not reply');
  const engine = createEngine({...settings, api_key_env: 'LUMENFLOW_NO_SUCH_KEY'});
  await expect(engine.query('run-1')).rejects.toThrow('names `LUMENFLOW_NO_SUCH_KEY`, which is not set');
  const other = createEngine({...settings, tls: {ca: '/no/such/ca.pem'}});
  await expect(other.query('run-1')).rejects.toThrow('/no/such/ca.pem');
});

async function connected(): Promise<{readonly client: Client; close(): Promise<void>}> {
  const connection = await Connection.connect({address: settings.address ?? ''});
  expect(taskQueueOf(settings)).toMatch(/^test_/u);
  return {client: new Client({connection}), close: () => connection.close()};
}
