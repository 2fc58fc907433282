// The life of a task: ready → active ⇄ blocked, active → done, back to ready by release; one winner for each claim.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {interruptedEvents} from '../../../support/interrupted-events.ts';
import {contextOf, createStage, unwrap, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const laneOf = (limit: number): WorkspaceSpec['lanes'] => [
  {id: 'core', allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}], wip_limit: limit},
];
const holder = {task_id: 'task-1', session_id: 'session-1', by: 'agent'};
const stranger = {...holder, session_id: 'session-2'};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('goes from ready to active, blocked, active and done, and reports each step', async () => {
    const runtime = await stage.open();
    const {timestamp} = stage.clock;
    const at = timestamp();
    expect(unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core', title: 'A'}, {by: 'ann'}))).toMatchObject({
      state: 'ready',
      created_at: at,
    });
    const run = unwrap(await runtime.claimTask(holder));
    expect(run).toMatchObject({session_id: 'session-1', by: 'agent', claimed_at: at});
    expect(unwrap(await runtime.blockTask({...holder, reason: 'waits'}))).toMatchObject({
      state: 'blocked',
      blocked_reason: 'waits',
      run,
    });
    const unblocked = unwrap(await runtime.unblockTask(holder));
    expect(unblocked.blocked_reason).toBeUndefined();
    const done = unwrap(await runtime.completeTask({...holder, evidence_refs: ['rcp-1']}));
    expect(done).toMatchObject({state: 'done', completed_at: at, evidence_refs: ['rcp-1'], run});
    expect(unwrap(await runtime.inspectTask('task-1'))).toEqual({
      ...done,
      spec: {id: 'task-1', lane_id: 'core', title: 'A'},
    });
    const events = await runtime.events.read();
    expect(events.map(({type, actor, seq}) => [seq, type, actor])).toEqual([
      [1, 'task_created', 'ann'],
      [2, 'task_claimed', 'agent'],
      [3, 'task_blocked', 'agent'],
      [4, 'task_unblocked', 'agent'],
      [5, 'task_completed', 'agent'],
    ]);
  });

  test('of 50 claims at once, in two processes, one wins', async () => {
    const one = await stage.open();
    const two = await stage.open();
    unwrap(await one.createTask({id: 'task-1', lane_id: 'core'}));
    const claims = await Promise.all(
      Array.from({length: 50}, (_, index) =>
        (index % 2 === 0 ? one : two).claimTask({
          task_id: 'task-1',
          by: `agent-${index}`,
          session_id: `session-${index}`,
        }),
      ),
    );
    expect(claims.filter(({success}) => success)).toHaveLength(1);
    const lost = claims.flatMap((claim) => (claim.success ? [] : [claim.error.code]));
    expect(new Set(lost)).toEqual(new Set(['TASK_NOT_CLAIMABLE']));
    expect(one.listTasks()).toEqual(two.listTasks());
    expect(await one.events.read({types: ['task_claimed']})).toHaveLength(1);
  });

  test('the lane’s WIP limit counts what is active or blocked, also for claims that meet', async () => {
    const runtime = await stage.open({workspace: {lanes: laneOf(2)}});
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) unwrap(await runtime.createTask({id, lane_id: 'core'}));
    const claims = await Promise.all(
      ids.map((task_id) => runtime.claimTask({task_id, by: 'agent', session_id: `s-${task_id}`})),
    );
    expect(claims.filter(({success}) => success)).toHaveLength(2);
    const full = {success: false, error: {code: 'WIP_LIMIT_REACHED', details: {wip_limit: 2}}};
    expect(claims.filter(({success}) => !success)).toMatchObject([full, full]);
    const [held] = runtime.listTasks({state: 'active'});
    const waiting = runtime.listTasks({state: 'ready'})[0]?.task_id ?? '';
    const session_id = held?.run?.session_id ?? '';
    const by = {task_id: held?.task_id ?? '', session_id, by: 'agent'};
    unwrap(await runtime.blockTask({...by, reason: 'waits'}));
    const next = {task_id: waiting, by: 'agent', session_id: 's-next'};
    expect(await runtime.claimTask(next)).toMatchObject(full);
    unwrap(await runtime.releaseTask({...by, reason: 'gives up'}));
    unwrap(await runtime.claimTask(next));
  });

  test('each lane has its own limit, and tasks are listed by lane and state', async () => {
    const [core] = laneOf(1);
    const runtime = await stage.open({workspace: {lanes: [core, {...core, id: 'docs'}]}});
    await runtime.startTask('a');
    await runtime.startTask('b', {lane_id: 'docs'});
    unwrap(await runtime.createTask({id: 'c', lane_id: 'docs'}));
    const listed = (...filter: Parameters<typeof runtime.listTasks>): readonly string[] =>
      runtime.listTasks(...filter).map(({task_id}) => task_id);
    expect(listed({lane_id: 'docs'})).toEqual(['b', 'c']);
    expect(listed({state: 'active'})).toEqual(['a', 'b']);
    expect(listed({lane_id: 'docs', state: 'ready'})).toEqual(['c']);
  });

  test('what one process does to a task, the next call in another one sees', async () => {
    const one = await stage.open();
    const two = await stage.open();
    const context = await one.startTask();
    expect((await two.executeTool('files:read', {}, context)).success).toBe(true);
    unwrap(await one.releaseTask({...holder, reason: 'later'}));
    expect((await two.executeTool('files:read', {}, context)).error?.code).toBe('TASK_NOT_ACTIVE');
  });

  test('of completions that meet, one is recorded', async () => {
    const runtime = await stage.open();
    await runtime.startTask();
    const completions = await Promise.all(Array.from({length: 10}, () => runtime.completeTask(holder)));
    expect(completions.filter(({success}) => success)).toHaveLength(1);
    expect(await runtime.events.read({types: ['task_completed']})).toHaveLength(1);
  });

  test('blocked_by applies until all of them are done, unknown ones too', async () => {
    const runtime = await stage.open();
    unwrap(await runtime.createTask({id: 'last', lane_id: 'core', blocked_by: ['task-1', 'unknown']}));
    const claim = {task_id: 'last', by: 'agent', session_id: 's'};
    await runtime.startTask('task-1');
    expect(await runtime.claimTask(claim)).toMatchObject({
      error: {code: 'TASK_NOT_CLAIMABLE', details: {blocked_by: ['task-1', 'unknown']}},
    });
    unwrap(await runtime.completeTask(holder));
    expect(await runtime.claimTask(claim)).toMatchObject({error: {details: {blocked_by: ['unknown']}}});
    await runtime.startTask('unknown');
    unwrap(await runtime.completeTask({...holder, task_id: 'unknown'}));
    unwrap(await runtime.claimTask(claim));
  });

  test('only the session that claimed a task blocks, unblocks, releases or completes it', async () => {
    const runtime = await stage.open();
    await runtime.startTask();
    const refused = {
      success: false,
      error: {code: 'TASK_NOT_ACTIVE', message: expect.stringContaining('another session')},
    };
    expect(await runtime.blockTask({...stranger, reason: 'mine'})).toMatchObject(refused);
    expect(await runtime.releaseTask({...stranger, reason: 'mine'})).toMatchObject(refused);
    expect(await runtime.completeTask(stranger)).toMatchObject(refused);
    unwrap(await runtime.blockTask({...holder, reason: 'waits'}));
    expect(await runtime.unblockTask(stranger)).toMatchObject(refused);
    expect(await runtime.completeTask({task_id: 'task-1', by: 'agent'} as typeof holder)).toMatchObject({
      error: {code: 'INVALID_INPUT'},
    });
    expect(runtime.listTasks()[0]?.state).toBe('blocked');
  });

  test('without a session the host acts, and the events name it, never the holder', async () => {
    const runtime = await stage.open();
    await runtime.startTask();
    unwrap(await runtime.blockTask({task_id: 'task-1', reason: 'waits'}));
    unwrap(await runtime.unblockTask({task_id: 'task-1', by: 'ann'}));
    unwrap(await runtime.blockTask({task_id: 'task-1', session_id: 'session-1', reason: 'waits'}));
    unwrap(await runtime.releaseTask({task_id: 'task-1', reason: 'ends'}));
    const actors = (await runtime.events.read({after_seq: 2})).map(({type, actor}) => [type, actor]);
    expect(actors).toEqual([
      ['task_blocked', 'host'],
      ['task_unblocked', 'ann'],
      ['task_blocked', 'agent'],
      ['task_released', 'host'],
    ]);
  });

  test('unblock of a ready task, complete while blocked, and anything on a done one are refused', async () => {
    const runtime = await stage.open();
    const refused = (state: string): object => ({error: {code: 'TASK_NOT_ACTIVE', details: {state}}});
    unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core'}));
    expect(await runtime.unblockTask(holder)).toMatchObject(refused('ready'));
    expect(await runtime.blockTask({...holder, reason: 'x'})).toMatchObject(refused('ready'));
    expect(await runtime.releaseTask({...holder, reason: 'x'})).toMatchObject(refused('ready'));
    expect(await runtime.completeTask(holder)).toMatchObject(refused('ready'));
    unwrap(await runtime.claimTask(holder));
    expect(await runtime.unblockTask(holder)).toMatchObject(refused('active'));
    unwrap(await runtime.blockTask({...holder, reason: 'x'}));
    expect(await runtime.blockTask({...holder, reason: 'x'})).toMatchObject(refused('blocked'));
    expect(await runtime.completeTask(holder)).toMatchObject(refused('blocked'));
    unwrap(await runtime.unblockTask(holder));
    unwrap(await runtime.completeTask(holder));
    expect(await runtime.completeTask(holder)).toMatchObject(refused('done'));
    expect(await runtime.releaseTask({...holder, reason: 'x'})).toMatchObject(refused('done'));
    expect(await runtime.claimTask(holder)).toMatchObject({error: {code: 'TASK_NOT_CLAIMABLE'}});
    expect(await runtime.events.read()).toHaveLength(5);
  });

  test('another session claims a released task again, and the old run is over', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    unwrap(await runtime.blockTask({...holder, reason: 'stuck'}));
    expect(unwrap(await runtime.releaseTask({...holder, reason: 'gives up'}))).toEqual(
      expect.not.objectContaining({run: expect.anything(), blocked_reason: expect.anything()}),
    );
    const run = unwrap(await runtime.claimTask({...stranger, by: 'other'}));
    expect(run.run_id).not.toBe(context.run_id);
    expect((await runtime.executeTool('files:read', {}, context)).error?.code).toBe('TASK_NOT_ACTIVE');
    expect((await runtime.executeTool('files:read', {}, contextOf('task-1', run))).success).toBe(true);
  });

  test('order is the log’s: equal timestamps and a clock going backwards change nothing', async () => {
    const runtime = await stage.open();
    await runtime.startTask();
    unwrap(await runtime.blockTask({...holder, reason: 'waits'}));
    stage.clock.move(-3_600_000);
    unwrap(await runtime.unblockTask(holder));
    unwrap(await runtime.releaseTask({...holder, reason: 'later'}));
    stage.clock.move(-3_600_000);
    unwrap(await runtime.claimTask(stranger));
    const [task] = runtime.listTasks();
    expect(task).toMatchObject({state: 'active', run: {session_id: 'session-2'}});
    expect((await stage.open()).listTasks()).toEqual([task]);
  });

  test('a spec that is amended on the way is not claimed unseen', async () => {
    const {events, meanwhile} = interruptedEvents();
    const runtime = await stage.open({events});
    const other = await stage.open();
    unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core'}));
    meanwhile(async () => {
      unwrap(await other.amendTask({task_id: 'task-1', by: 'ann', changes: {title: 'another'}}));
    });
    expect(await runtime.claimTask(holder)).toMatchObject({error: {code: 'TASK_SPEC_CHANGED'}});
    unwrap(await runtime.claimTask(holder));
  });

  test('a spec that a crash left without its event is adopted once, by the first create', async () => {
    const {events, meanwhile} = interruptedEvents();
    const runtime = await stage.open({events});
    const other = await stage.open();
    meanwhile(async () => {
      // The spec exists already, its event does not.
      unwrap(await other.createTask({id: 'task-1', lane_id: 'core'}, {by: 'other'}));
    });
    expect(await runtime.createTask({id: 'task-1', lane_id: 'core'})).toMatchObject({error: {code: 'TASK_EXISTS'}});
    expect(await runtime.events.read()).toMatchObject([{type: 'task_created', actor: 'other'}]);
  });
});
