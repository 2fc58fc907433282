// Programs, agents' sessions and a workflow run on an engine while its worker, its server and the host are killed. In the end each call has
// happened once: a person, who looks at the effects, says of a call whose outcome is unknown whether it happened.
import {createRestateServer, noServer, type RestateTestServer} from '@lumenflow/integration-restate/testing';
import type {ChildProcess} from 'node:child_process';
import {setTimeout as sleep} from 'node:timers/promises';
import {freePort, killProcess, openEngineDesk, type EngineDesk} from '../support/engine-desk.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import {agentScripts, expectedKeys, sessionIds, startRuns} from './engine-runs.ts';
import {answerAsPerson} from './answer-as-person.ts';
import {createRandom} from './random.ts';

const killsMax = 40;
const programs = 3;
/** How long to wait for an effect before the next kill. */
const quietMs = 4_000;
const settleMs = 300_000;
/** From this share on, three nodes. */
const clusterShare = 0.5;

export async function* enginePoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  if (noServer !== undefined) {
    // No point is counted as passed.
    process.stderr.write(`engine: skipped: ${noServer}\n`);
    return;
  }
  const nodes = options.share >= clusterShare ? 3 : 1;
  const server = await createRestateServer(nodes);
  try {
    const desk = await openEngineDesk({engine: {...server.urls.at(-1)}, scripts: agentScripts});
    try {
      yield await killAtRandom(desk, server, {...options, nodes});
    } finally {
      await desk.close();
    }
  } finally {
    await server.remove();
  }
}

interface Processes {
  worker: ChildProcess;
  serve: ChildProcess;
}

async function killAtRandom(
  desk: EngineDesk,
  server: RestateTestServer,
  options: SuiteOptions & {readonly nodes: number},
): Promise<CrashPoint> {
  const random = createRandom(options.seed);
  const port = await freePort();
  const startWorker = async (): Promise<ChildProcess> => await desk.startWorker('--listen', `127.0.0.1:${port}`);
  const running: Processes = {worker: await startWorker(), serve: await desk.startServe()};
  const runs = await startRuns(desk, programs);
  const kills = {worker: 0, server: 0, host: 0};
  const victims = ['worker', 'server', 'host'] as const;
  const total = Math.max(victims.length, tries(killsMax, options));
  for (let round = 0; round < total; round += 1) {
    await untilProgress(desk);
    const victim = victims[(round + random.below(2)) % victims.length] ?? 'worker';
    kills[victim] += 1;
    if (victim === 'worker') {
      await killProcess(running.worker);
      running.worker = await startWorker();
    } else if (victim === 'server') {
      await server.kill(random.below(options.nodes));
      await server.start();
    } else {
      await killProcess(running.serve);
      running.serve = await desk.startServe();
    }
    await answerAsPerson(desk);
  }
  const left = await settle(desk, runs);
  const problems = [...left, ...wrongEffects(desk)];
  return {
    name: `${programs} programs and ${sessionIds.length} sessions, with ${total} kills`,
    problems,
    figures: [
      {title: 'effects', value: desk.effects().length, over: 'sum'},
      {title: 'workers killed', value: kills.worker, over: 'sum'},
      {title: 'servers or nodes killed', value: kills.server, over: 'sum'},
      {title: 'hosts killed', value: kills.host, over: 'sum'},
    ],
  };
}

/** So that calls are under way at the next kill, if there are more. */
async function untilProgress(desk: EngineDesk): Promise<void> {
  const before = desk.effects().length;
  for (const end = performance.now() + quietMs; performance.now() < end && desk.effects().length === before;)
    await sleep(50);
}

/** What is not over in the end. */
async function settle(desk: EngineDesk, runs: readonly string[]): Promise<readonly string[]> {
  for (const end = performance.now() + settleMs; ; await sleep(500)) {
    await answerAsPerson(desk);
    const left = await openRuns(desk, runs);
    if (left.length === 0 || performance.now() > end) return left;
  }
}

async function openRuns({host, session}: EngineDesk, runs: readonly string[]): Promise<readonly string[]> {
  await host.runtime.refresh();
  const tasks = new Map(host.runtime.listTasks().map(({task_id, state}) => [task_id, state]));
  const programsLeft = runs.filter((run) => tasks.get(run) !== 'done').map((run) => `${run} is ${tasks.get(run)}`);
  const sessionsLeft: string[] = [];
  for (const session_id of sessionIds) {
    const output = await session.call('agent-session:status', {session_id});
    const {status, outcome} = (output.data ?? {}) as {readonly status?: string; readonly outcome?: string};
    if (outcome !== 'complete')
      sessionsLeft.push(`the session ${session_id} is ${status ?? 'unknown'}, ${outcome ?? ''}`);
  }
  return [...programsLeft, ...sessionsLeft];
}

function wrongEffects(desk: EngineDesk): readonly string[] {
  const counts = new Map<string, number>();
  for (const {key} of desk.effects()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const expected = expectedKeys(programs);
  return [
    ...expected.filter((key) => counts.get(key) !== 1).map((key) => `${key} happened ${counts.get(key) ?? 0} times`),
    ...[...counts.keys()].filter((key) => !expected.includes(key)).map((key) => `${key} is unexpected`),
  ];
}
