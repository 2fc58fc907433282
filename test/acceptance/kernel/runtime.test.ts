// The runtime for embedders: its lists, explanations, notifications, and its end.
import type {KernelEvent} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../support/example-pack.ts';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../support/stage.ts';
import {stateKinds} from '../../support/state-home.ts';
import {toolsOfPacks} from '../../support/tools-of-packs.ts';

const pack = examplePack({
  id: 'p',
  tools: [
    {name: 'p:free', required_scopes: [{type: 'path', pattern: 'docs/**', access: 'read'}]},
    {name: 'p:asked', permission: 'admin', handler: 'in_process'},
    {name: 'p:denied'},
    {name: 'p:far', required_scopes: [{type: 'network', posture: 'full'}]},
    {name: 'p:inner', internal_only: true},
  ],
  rules: [
    {id: 'p.ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'p:asked'}},
    {id: 'p.no', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'p:denied'}},
  ],
});

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  /** The records of both logs. */
  async function recorded(runtime: StagedRuntime): Promise<unknown> {
    return [(await runtime.evidence.verify()).records, (await runtime.events.read()).length, runtime.listApprovals()];
  }

  test('lists the tools that scopes and policy allow, now or after an approval, and records nothing', async () => {
    const runtime = await stage.open({packs: [pack]});
    const context = await runtime.startTask();
    const before = await recorded(runtime);
    const tools = toolsOfPacks(await runtime.listGovernedTools(context));
    expect(tools.map(({tool, decision}) => [tool.name, decision])).toEqual([
      ['p:asked', 'approval_required'],
      ['p:free', 'allow'],
    ]);
    expect(tools[1]).toMatchObject({
      granted_scopes: {read: ['docs/**'], write: []},
      policy_decisions: [{rule_id: 'workspace.default'}],
    });
    expect(await runtime.listGovernedTools({...context, session_id: 'session-2'})).toEqual([]);
    expect(await runtime.listGovernedTools({...context, task_id: '../x'})).toEqual([]);
    expect(await recorded(runtime)).toEqual(before);
  });

  test('lists and explains for a lane what a new task of it would find, with no task at all', async () => {
    const runtime = await stage.open({packs: [pack]});
    const {task_id, ...run} = await runtime.startTask();
    const {lane_id} = unwrap(await runtime.inspectTask(task_id));
    const before = await recorded(runtime);
    expect(await runtime.listGovernedTools({lane_id})).toEqual(await runtime.listGovernedTools({task_id, ...run}));
    for (const name of ['p:free', 'p:asked', 'p:denied', 'p:far', 'p:inner', 'p:missing']) {
      expect(await runtime.explainTool(name, {}, {lane_id})).toEqual(
        await runtime.explainTool(name, {}, {task_id, ...run}),
      );
    }
    expect(await runtime.listGovernedTools({lane_id: 'nowhere'})).toEqual([]);
    expect(await runtime.explainTool('p:free', {}, {lane_id: 'nowhere'})).toMatchObject({
      decision: 'deny',
      failure: {code: 'TASK_NOT_ACTIVE', message: expect.stringContaining('there is no lane `nowhere`') as string},
    });
    expect(await recorded(runtime)).toEqual(before);
  });

  test('explains what would become of a call, and records nothing', async () => {
    const runtime = await stage.open({packs: [pack]});
    const context = await runtime.startTask();
    const before = await recorded(runtime);
    expect(await runtime.explainTool('p:free', {}, context)).toMatchObject({
      tool_name: 'p:free',
      decision: 'allow',
      execution_mode: 'sandbox',
      granted_scopes: {read: ['docs/**']},
      input_issues: [],
    });
    expect(await runtime.explainTool('p:asked', {}, context)).toMatchObject({
      decision: 'approval_required',
      execution_mode: 'pool',
      policy: {would_change: expect.arrayContaining(['approve the request'])},
    });
    expect(await runtime.explainTool('p:denied', {}, context)).toMatchObject({
      decision: 'deny',
      policy: {held_by: [{rule_id: 'p.no'}]},
    });
    expect(await runtime.explainTool('p:far', {}, context)).toMatchObject({
      decision: 'deny',
      failure: {code: 'SCOPE_DENIED', details: {layer: 'workspace'}},
      policy_decisions: [{rule_id: 'kernel.scope.boundary'}],
    });
    expect(await runtime.explainTool('p:inner', {}, context)).toMatchObject({failure: {code: 'TOOL_NOT_FOUND'}});
    expect(await runtime.explainTool('p:none', {}, context)).toMatchObject({failure: {code: 'TOOL_NOT_FOUND'}});
    const stranger = {...context, run_id: 'another'};
    expect(await runtime.explainTool('p:free', {}, stranger)).toMatchObject({failure: {code: 'TASK_NOT_ACTIVE'}});
    expect(await recorded(runtime)).toEqual(before);
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('explains what does not fit the schema of the input', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    expect(await runtime.explainTool('files:write', {path: 7}, context)).toMatchObject({
      decision: 'allow',
      input_issues: [{pointer: '/path'}],
    });
  });

  test('a subscriber receives past, then new events, of its types and task, until it stops', async () => {
    const runtime = await stage.open();
    await runtime.startTask('task-1');
    const received: KernelEvent['type'][] = [];
    const stop = runtime.events.subscribe({task_id: 'task-2', types: ['task_created', 'task_blocked']}, ({type}) => {
      received.push(type);
    });
    await runtime.startTask('task-2', {session_id: 'session-2'});
    const held = {task_id: 'task-2', session_id: 'session-2'};
    unwrap(await runtime.blockTask({...held, reason: 'waits'}));
    expect(received).toEqual(['task_created', 'task_blocked']);
    stop();
    unwrap(await runtime.unblockTask(held));
    unwrap(await runtime.blockTask({...held, reason: 'waits'}));
    expect(received).toEqual(['task_created', 'task_blocked']);
  });

  test('a subscriber can begin after the events that it knows', async () => {
    const runtime = await stage.open();
    await runtime.startTask('task-1');
    const known = (await runtime.events.read()).at(-1)?.seq ?? 0;
    const received: number[] = [];
    runtime.events.subscribe({after_seq: known}, ({seq}) => received.push(seq));
    expect(received).toEqual([]);
    await runtime.startTask('task-2', {session_id: 'session-2'});
    expect(received[0]).toBe(known + 1);
  });

  test('a subscriber that throws fails alone: the transition remains and other subscribers receive it', async () => {
    const runtime = await stage.open();
    const received: string[] = [];
    const boom = new Error('not my day');
    const unhandled = catchUnhandled();
    runtime.events.subscribe({types: ['task_blocked']}, () => {
      throw boom;
    });
    runtime.events.subscribe({types: ['task_blocked']}, ({type}) => received.push(type));
    await runtime.startTask();
    const held = {task_id: 'task-1', session_id: 'session-1'};
    expect(unwrap(await runtime.blockTask({...held, reason: 'waits'})).state).toBe('blocked');
    unwrap(await runtime.unblockTask(held));
    expect(received).toEqual(['task_blocked']);
    expect(await unhandled).toBe(boom);
  });

  test('reads events after a number, of some types, so many at most', async () => {
    const runtime = await stage.open();
    await runtime.startTask('task-1');
    await runtime.startTask('task-2');
    const seqs = async (...filter: Parameters<StagedRuntime['events']['read']>): Promise<readonly number[]> =>
      (await runtime.events.read(...filter)).map(({seq}) => seq);
    expect(await seqs()).toEqual([1, 2, 3, 4]);
    expect(await seqs({after_seq: 1, limit: 2})).toEqual([2, 3]);
    expect(await seqs({types: ['task_claimed'], limit: 1})).toEqual([2]);
    expect(await seqs({types: ['task_claimed'], task_id: 'task-2', after_seq: 1})).toEqual([4]);
    expect(await seqs({limit: 0})).toEqual([]);
  });

  test('close waits for calls in flight and what they call, then refuses all that is new', async () => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let began = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const runtime = await stage.open({
      scripts: {
        async 'files:write'({callTool}) {
          began();
          await gate;
          return {output: await callTool('files:read', 'child')};
        },
      },
    });
    const context = await runtime.startTask();
    const pending = runtime.executeTool('files:write', {}, context);
    await begun;
    const closing = runtime.close();
    const refused = {code: 'RUNTIME_CLOSED'};
    await expect(runtime.executeTool('files:read', {}, context)).rejects.toMatchObject(refused);
    await expect(runtime.createTask({id: 'task-2', lane_id: 'core'})).rejects.toMatchObject(refused);
    await expect(runtime.evidence.readTraces()).rejects.toMatchObject(refused);
    expect(runtime.dispatcher.isClosed).toBe(false);
    go();
    expect(await pending).toMatchObject({success: true, data: 'child'});
    await closing;
    expect(runtime.dispatcher.isClosed).toBe(true);
    await runtime.close();
    await expect(runtime.executeTool('files:read', {}, context)).rejects.toMatchObject(refused);
    const next = await stage.open();
    expect((await next.evidence.readTraces({result: 'success'})).receipts).toHaveLength(2);
  });

  test('two kernels in one process do not meet', async () => {
    const other = createStage(kind);
    try {
      const one = await stage.open();
      const two = await other.open();
      const context = await one.startTask();
      expect((await two.executeTool('files:read', {}, context)).error?.code).toBe('TASK_NOT_ACTIVE');
      expect(two.listTasks()).toEqual([]);
      expect((await one.executeTool('files:read', {}, context)).success).toBe(true);
    } finally {
      await other.close();
    }
  });

  test('a dispatcher that rejects makes a crashed call, not an open one', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    runtime.dispatcher.dispatch = async () => {
      throw new Error('the pool is gone');
    };
    const output = await runtime.executeTool('files:read', {}, context);
    expect(output.error).toMatchObject({code: 'TOOL_CRASHED', message: expect.stringContaining('the pool is gone')});
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.finished).toMatchObject({result: 'crashed', error_code: 'TOOL_CRASHED'});
  });
});

/** The next unhandled rejection, hidden from the test runner. */
function catchUnhandled(): Promise<unknown> {
  const event = 'unhandledRejection';
  const others = process.listeners(event);
  process.removeAllListeners(event);
  return new Promise((resolve) => {
    process.once(event, (error) => {
      for (const listener of others) process.on(event, listener);
      resolve(error);
    });
  });
}
