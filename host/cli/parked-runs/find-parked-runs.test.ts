import type {KernelRuntime, TaskRecord} from '@lumenflow/kernel';
import {createScriptedWork, type ScriptedStep} from '@lumenflow/kernel/conformance';
import {expect, test} from 'vitest';
import {createEmbeddedEngine} from '../../engine/create-embedded-engine.ts';
import {findParkedRuns} from './find-parked-runs.ts';

type Task = Pick<TaskRecord, 'task_id' | 'state'> & Partial<TaskRecord>;

/** Two functions of a runtime with these tasks, the last one the newest. */
function runtimeOf(tasks: readonly Task[]): Pick<KernelRuntime, 'listTasks' | 'inspectTask'> {
  const records = tasks.map((task, index) => ({
    lane_id: 'core',
    spec_hash: '',
    created_at: new Date(index * 1_000).toISOString(),
    ...task,
  }));
  return {
    listTasks: () => records,
    inspectTask: (async (task_id: string) =>
      await Promise.resolve({success: true, data: {spec: {title: `Title of ${task_id}`}}})) as never,
  };
}

async function engineWith(steps: Readonly<Record<string, readonly ScriptedStep[]>>) {
  const work = createScriptedWork();
  const engine = createEmbeddedEngine(work, {attemptsMax: 1});
  for (const [run_id, script] of Object.entries(steps)) {
    work.add(run_id, script);
    await engine.start(run_id);
    await engine.wait(run_id);
  }
  return engine;
}

test('lists parked programs and sessions, newest first, and none that is over, waits, or is not a run', async () => {
  const engine = await engineWith({
    'program-old': [{refuse: 1}],
    'agent:errand': [{fail: 9}],
    'program-waits': [{ask: ['r1']}],
    'program-over': [{refuse: 1}],
    work: [{refuse: 1}],
  });
  const runtime = runtimeOf([
    {task_id: 'program-old', state: 'ready'},
    {task_id: 'errand', state: 'active', task_type: 'agent-session', lane_id: 'slow'},
    {task_id: 'program-waits', state: 'blocked'},
    {task_id: 'program-over', state: 'cancelled'},
    {task_id: 'work', state: 'active'},
  ]);
  const since = expect.stringMatching(/^\d{4}-.*Z$/u) as string;
  expect(await findParkedRuns(engine, runtime)).toEqual({
    runs: [
      {
        id: 'errand',
        kind: 'agent',
        title: 'Title of errand',
        lane_id: 'slow',
        reason: 'agent:errand is broken',
        since,
      },
      {
        id: 'program-old',
        kind: 'program',
        title: 'Title of program-old',
        lane_id: 'core',
        reason: 'program-old is refused',
        since,
      },
    ],
    asked: 3,
    open: 3,
  });
  await engine.close();
});

test('asks about the newest 200 runs, and says of how many', async () => {
  const asked: string[] = [];
  const engine = {
    query: async (run_id: string) => {
      asked.push(run_id);
      return await Promise.resolve(undefined);
    },
  };
  const tasks = Array.from({length: 230}, (_, index) => ({task_id: `program-${index}`, state: 'active' as const}));
  expect(await findParkedRuns(engine, runtimeOf(tasks))).toEqual({runs: [], asked: 200, open: 230});
  expect([asked.length, asked[0], asked.includes('program-29')]).toEqual([200, 'program-229', false]);
});
