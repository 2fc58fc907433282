// Programs, agents' sessions and a workflow run on an engine while its worker, the host and its server are killed. Of three nodes, the victims
// lead the most and the fewest partitions. In the end each call has
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

export async function* enginePoints({seed, share}: SuiteOptions): AsyncGenerator<CrashPoint> {
  if (noServer !== undefined) {
    // No point is counted as passed.
    process.stderr.write(`engine: skipped: ${noServer}\n`);
    return;
  }
  const nodes = share >= clusterShare ? 3 : 1;
  yield await killAtRandom({seed, nodes, kills: tries(killsMax, {share})});
}

type Victim = 'worker' | 'host' | 'server' | 'leader' | 'follower';

const victimsOf: Readonly<Record<1 | 3, readonly Victim[]>> = {
  1: ['worker', 'server', 'host'],
  3: ['worker', 'leader', 'host', 'follower'],
};

export interface EngineKills {
  readonly seed: number;
  readonly nodes: 1 | 3;
  /** Each victim is killed once, at least. */
  readonly kills: number;
}

export async function killAtRandom(options: EngineKills): Promise<CrashPoint> {
  const server = await createRestateServer(options.nodes);
  try {
    const desk = await openEngineDesk({engine: {...server.urls.at(-1)}, scripts: agentScripts});
    try {
      return await killDuringRuns(desk, server, options);
    } finally {
      await desk.close();
    }
  } finally {
    await server.remove();
  }
}

async function killDuringRuns(
  desk: EngineDesk,
  server: RestateTestServer,
  {seed, nodes, kills}: EngineKills,
): Promise<CrashPoint> {
  const random = createRandom(seed);
  const victims = victimsOf[nodes];
  const killed = new Map<Victim, number>(victims.map((victim) => [victim, 0]));
  const kill = await startProcesses(desk, server);
  const runs = await startRuns(desk, programs);
  const total = Math.max(victims.length, kills);
  const left: Victim[] = [];
  for (let round = 0; round < total; round += 1) {
    await untilProgress(desk);
    // Each of them once, in any order, and again.
    if (left.length === 0) left.push(...victims);
    const [victim = 'worker'] = left.splice(random.below(left.length), 1);
    killed.set(victim, (killed.get(victim) ?? 0) + 1);
    await kill(victim);
    await answerAsPerson(desk);
  }
  const problems = [...(await settle(desk, runs)), ...wrongEffects(desk)];
  const figures = Array.from(killed, ([victim, value]) => ({
    title: `kills of a ${victim}`,
    value,
    over: 'sum' as const,
  }));
  return {
    name: `${programs} programs and ${sessionIds.length} sessions on ${nodes} nodes, with ${total} kills`,
    problems,
    figures: [{title: 'effects', value: desk.effects().length, over: 'sum'}, ...figures],
  };
}

/** Returns what kills one of them, and starts it again. */
async function startProcesses(desk: EngineDesk, server: RestateTestServer): Promise<(victim: Victim) => Promise<void>> {
  const port = await freePort();
  const startWorker = async (): Promise<ChildProcess> => await desk.startWorker('--listen', `127.0.0.1:${port}`);
  let [worker, serve] = [await startWorker(), await desk.startServe()];
  return async (victim) => {
    if (victim === 'worker') {
      await killProcess(worker);
      worker = await startWorker();
    } else if (victim === 'host') {
      await killProcess(serve);
      serve = await desk.startServe();
    } else {
      await server.kill(nodeOf(victim, server));
      // The others continue without it.
      if (victim !== 'server') await untilProgress(desk);
      await server.start();
    }
  };
}

function nodeOf(victim: Victim, server: RestateTestServer): number {
  const counts = server.leaderships();
  if (victim === 'server') return 0;
  return counts.indexOf(victim === 'leader' ? Math.max(...counts) : Math.min(...counts));
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
