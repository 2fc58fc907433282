// Compares tasks with a small model: for any commands in any order and at once, only what the model allows happens.
import type {KernelEvent} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createStage, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const wipLimit = 2;
const waitsFor: Readonly<Record<string, string>> = {c: 'a', d: 'c'};

interface Command {
  readonly verb: 'create' | 'amend' | 'claim' | 'block' | 'unblock' | 'release' | 'complete' | 'cancel';
  readonly task: string;
  readonly session: string;
}

interface ModelTask {
  readonly state: 'ready' | 'active' | 'blocked' | 'done' | 'cancelled';
  readonly session?: string;
}

type Model = ReadonlyMap<string, ModelTask>;

function stepFromReady(model: Model, {verb, task: id, session}: Command): ModelTask | undefined {
  if (verb === 'amend') return model.get(id);
  if (verb === 'cancel') return {state: 'cancelled'};
  return verb === 'claim' && mayStart(model, id) ? {state: 'active', session} : undefined;
}

/** What its holder makes of a task that is active or blocked. */
function stepClaimed(task: ModelTask, {verb, session}: Command): ModelTask | undefined {
  if (verb === 'release') return {state: 'ready'};
  if (verb === 'unblock') return task.state === 'blocked' ? {state: 'active', session} : undefined;
  if (task.state !== 'active') return undefined;
  if (verb === 'block') return {state: 'blocked', session};
  return verb === 'complete' ? {state: 'done', session} : undefined;
}

/** The task after the command; undefined when the command is not allowed. */
function step(model: Model, command: Command): ModelTask | undefined {
  const task = model.get(command.task);
  if (command.verb === 'create') return task ? undefined : {state: 'ready'};
  if (!task) return undefined;
  if (task.state === 'ready') return stepFromReady(model, command);
  return task.session === command.session && task.state !== 'done' ? stepClaimed(task, command) : undefined;
}

function mayStart(model: Model, id: string): boolean {
  const busy = [...model.values()].filter(({state}) => state === 'active' || state === 'blocked').length;
  const first = waitsFor[id];
  return busy < wipLimit && (first === undefined || model.get(first)?.state === 'done');
}

async function run(runtime: StagedRuntime, {verb, task: task_id, session: session_id}: Command): Promise<boolean> {
  const held = {task_id, session_id, by: `agent-${session_id}`, reason: 'because'};
  const first = waitsFor[task_id];
  switch (verb) {
    case 'create': {
      const spec = {id: task_id, lane_id: 'core', ...(first !== undefined && {blocked_by: [first]})};
      return (await runtime.createTask(spec)).success;
    }
    case 'amend':
      return (await runtime.amendTask({task_id, by: 'ann', changes: {title: session_id}})).success;
    case 'cancel':
      return (await runtime.cancelTask({task_id, by: 'ann', reason: 'because'})).success;
    case 'claim':
      return (await runtime.claimTask(held)).success;
    case 'block':
      return (await runtime.blockTask(held)).success;
    case 'unblock':
      return (await runtime.unblockTask(held)).success;
    case 'release':
      return (await runtime.releaseTask(held)).success;
    case 'complete':
      return (await runtime.completeTask(held)).success;
    default:
      return verb satisfies never;
  }
}

/** The transition of an event; the owner of a task is known from its claim. */
function commandOf(event: KernelEvent, model: Model): Command {
  if (!event.type.startsWith('task_') || !('task_id' in event)) throw new Error(`unexpected event ${event.type}`);
  const task = event.task_id;
  const session = event.type === 'task_claimed' ? event.session_id : (model.get(task)?.session ?? '');
  const past: Readonly<Record<string, Command['verb']>> = {
    task_created: 'create',
    task_amended: 'amend',
    task_claimed: 'claim',
    task_blocked: 'block',
    task_unblocked: 'unblock',
    task_released: 'release',
    task_completed: 'complete',
    task_cancelled: 'cancel',
  };
  return {verb: past[event.type] ?? 'create', task, session};
}

function statesOf(runtime: StagedRuntime): Model {
  return new Map(
    runtime.listTasks().map(({task_id, state, run}) => [task_id, {state, ...(run && {session: run.session_id})}]),
  );
}

const sessions = ['one', 'two'] as const;

/** The tasks of each session. */
function claimedIn(runtime: StagedRuntime): readonly string[] {
  return sessions
    .flatMap((session) => runtime.listHeldTasks(session).map(({task_id}) => `${session} ${task_id}`))
    .toSorted();
}

function claimedOf(model: Model): readonly string[] {
  return [...model]
    .flatMap(([id, {state, session}]) => (state === 'active' || state === 'blocked' ? [`${session} ${id}`] : []))
    .toSorted();
}

const command: fc.Arbitrary<Command> = fc.record({
  verb: fc.constantFrom('create', 'amend', 'claim', 'claim', 'block', 'unblock', 'release', 'complete', 'complete'),
  task: fc.constantFrom('a', 'b', 'c', 'd'),
  session: fc.constantFrom(...sessions),
});
const createAll = ['a', 'b', 'c', 'd'].map((task): Command => ({verb: 'create', task, session: 'one'}));

describe.each(stateKinds)('state $name', (kind) => {
  const numRuns = kind.name === 'in memory' ? 150 : 12;

  async function onStage(play: (stage: Stage, open: () => Promise<StagedRuntime>) => Promise<void>): Promise<void> {
    const stage = createStage(kind);
    const lane = {id: 'core', allowed_scopes: [], wip_limit: wipLimit};
    try {
      await play(stage, () => stage.open({packs: [], workspace: {lanes: [lane]}}));
    } finally {
      await stage.close();
    }
  }

  test('one after the other: each does what the model says, and a restart gives the same tasks', async () => {
    const commands = fc.array(fc.tuple(command, fc.integer({min: -1_000, max: 1_000})), {maxLength: 60});
    await fc.assert(
      fc.asyncProperty(commands, fc.boolean(), async (steps, created) => {
        await onStage(async (stage, open) => {
          const runtime = await open();
          const model = new Map<string, ModelTask>();
          for (const first of created ? createAll : []) model.set(first.task, {state: 'ready'});
          if (created) await Promise.all(createAll.map((first) => run(runtime, first)));
          for (const [next, milliseconds] of steps) {
            stage.clock.move(milliseconds);
            const after = step(model, next);
            expect(await run(runtime, next)).toBe(after !== undefined);
            if (after) model.set(next.task, after);
            expect(statesOf(runtime)).toEqual(model);
            expect(claimedIn(runtime)).toEqual(claimedOf(model));
          }
          const restarted = await open();
          expect(restarted.listTasks()).toEqual(runtime.listTasks());
          expect(claimedIn(restarted)).toEqual(claimedOf(model));
        });
      }),
      {numRuns},
    );
  });

  test('all at once in two processes: what happened is a history that the model allows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(command, {maxLength: 15}), {maxLength: 6}), async (waves) => {
        await onStage(async (_, open) => {
          const runtimes = [await open(), await open()] as const;
          for (const first of createAll) await run(runtimes[0], first);
          let done = 0;
          for (const wave of waves) {
            const results = await Promise.all(wave.map((each, index) => run(runtimes[index % 2 === 0 ? 0 : 1], each)));
            done += results.filter(Boolean).length;
          }
          const events = await runtimes[0].events.read();
          expect(events).toHaveLength(createAll.length + done);
          const model = new Map<string, ModelTask>();
          for (const event of events) {
            const after = step(model, commandOf(event, model));
            if (!after) throw new Error(`impossible: ${JSON.stringify(event)}`);
            model.set('task_id' in event ? event.task_id : '', after);
          }
          for (const runtime of runtimes) {
            await runtime.refresh();
            expect(statesOf(runtime)).toEqual(model);
          }
        });
      }),
      {numRuns},
    );
  });
});
