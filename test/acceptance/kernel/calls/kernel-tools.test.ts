// The kernel's own tools, as a pack's handlers call them: on tasks of the pack's types only, decided and recorded like
// any call.
import type {LoadedPack} from '@lumenflow/kernel';
import type {PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import type {Script} from '../../../support/scripted-dispatcher.ts';
import {contextOf, createStage, filesPack, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

/** `work:do {tool, input}` answers with what that tool answered. */
const relay: Script = async ({input, callTool}) => {
  const {tool, input: inner} = input as {tool: string; input: unknown};
  return {output: {success: true, data: await callTool(tool, inner)}};
};
const work = (rules: readonly PolicyRule[] = []): LoadedPack =>
  examplePack({id: 'work', task_types: ['unit'], tools: [{name: 'work:do', permission: 'write'}], rules});
const other = examplePack({id: 'other', task_types: ['errand'], tools: [{name: 'other:do', permission: 'write'}]});
const scripts = {'work:do': relay, 'other:do': relay};
const unit = {id: 'WU-1', lane_id: 'core', type: 'unit'};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  let runtime: StagedRuntime;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  /** Opens a runtime, and gives a way to have a tool called by a handler of `work` in a session's own task. */
  async function open(
    rules: readonly PolicyRule[] = [],
  ): Promise<(verb: string, input: unknown) => Promise<ToolOutput>> {
    runtime = await stage.open({packs: [work(rules), other], scripts});
    const context = await runtime.startTask('session-1');
    return async (verb, input) => {
      const output = await runtime.executeTool('work:do', {tool: `kernel:${verb}`, input}, context);
      expect(output.error).toBeUndefined();
      return output.data as ToolOutput;
    };
  }

  test('a task goes its way: created, amended, claimed, blocked, unblocked, done', async () => {
    const call = await open();
    const declared_scopes = [{type: 'path', pattern: 'a/**', access: 'write'}];
    expect(await call('create-task', unit)).toMatchObject({success: true, data: {state: 'ready', task_type: 'unit'}});
    const {timestamp} = stage.clock;
    expect(await call('amend-task', {task_id: 'WU-1', title: 'Better', declared_scopes})).toMatchObject({
      data: {state: 'ready', amended_at: timestamp()},
    });
    const run = {session_id: 'session-1', by: 'agent'};
    expect(await call('claim-task', {task_id: 'WU-1'})).toMatchObject({success: true, data: run});
    expect(await call('block-task', {task_id: 'WU-1', reason: 'rain'})).toMatchObject({data: {state: 'blocked'}});
    expect(await call('unblock-task', {task_id: 'WU-1'})).toMatchObject({data: {state: 'active'}});
    expect(await call('show-task', {task_id: 'WU-1'})).toMatchObject({
      data: {state: 'active', run, spec: {...unit, title: 'Better', declared_scopes}},
    });
    const done = await call('complete-task', {task_id: 'WU-1', evidence_refs: ['x']});
    expect(done).toMatchObject({data: {state: 'done', evidence_refs: ['x']}});
    expect((await runtime.events.read({task_id: 'WU-1'})).map(({type, actor}) => `${type} ${actor}`)).toEqual(
      ['created', 'amended', 'claimed', 'blocked', 'unblocked', 'completed'].map((what) => `task_${what} agent`),
    );
  });

  test('a released task can be had again, and from a session that is gone by its name', async () => {
    const call = await open();
    await call('create-task', unit);
    unwrap(await runtime.claimTask({task_id: 'WU-1', by: 'ann', session_id: 'gone'}));
    expect(await call('release-task', {task_id: 'WU-1', reason: 'late'})).toMatchObject({
      error: {code: 'TASK_NOT_ACTIVE', message: expect.stringContaining('belongs to another session')},
    });
    const released = await call('release-task', {task_id: 'WU-1', reason: 'late', held_by: 'gone'});
    expect(released).toMatchObject({data: {state: 'ready'}});
    expect(await call('claim-task', {task_id: 'WU-1'})).toMatchObject({success: true});
  });

  test.each([
    ['block-task', {reason: 'rain'}],
    ['release-task', {reason: 'enough'}],
    ['complete-task', {}],
  ])('after %s, the caller calls only tools that are declared for that', async (verb, input) => {
    const tools = [{name: 'work:end'}, {name: 'work:report', after_task: true}, {name: 'work:on'}] as const;
    const pack = examplePack({
      id: 'work',
      task_types: ['unit'],
      tools: tools.map((tool) => ({...tool, permission: 'write'})),
    });
    const calls = [`kernel:${verb}`, 'work:report', 'work:on'];
    const end: Script = async ({callTool}) => {
      const outputs: ToolOutput[] = [];
      for (const tool of calls)
        outputs.push(await callTool(tool, tool === calls[0] ? {task_id: 'WU-1', ...input} : {}));
      return {output: {success: true, data: outputs.map(({error}) => error?.code ?? 'done')}};
    };
    const report: Script = async () => ({output: {success: true, data: {}}});
    runtime = await stage.open({packs: [pack], scripts: {'work:end': end, 'work:report': report, 'work:on': report}});
    unwrap(await runtime.createTask(unit));
    const context = contextOf('WU-1', unwrap(await runtime.claimTask({task_id: 'WU-1', by: 'ann', session_id: 's-1'})));
    expect(await runtime.executeTool('work:end', {}, context)).toMatchObject({
      data: ['done', 'done', 'TASK_NOT_ACTIVE'],
    });
    expect(await runtime.executeTool('work:report', {}, context)).toMatchObject({error: {code: 'TASK_NOT_ACTIVE'}});
  });

  test('they are recorded as children of the call, and answered by the kernel', async () => {
    const call = await open();
    const {metadata} = await call('create-task', unit);
    const receipt = await runtime.evidence.receipt(metadata?.receipt_id ?? '');
    expect(receipt).toMatchObject({
      started: {tool_name: 'kernel:create-task', pack_id: 'kernel', execution_mode: 'kernel', task_id: 'session-1'},
      finished: {result: 'success'},
    });
    expect((await runtime.evidence.receipt(receipt?.started.parent_receipt_id ?? ''))?.started.tool_name).toBe(
      'work:do',
    );
  });

  test('nobody from outside calls or sees them, except for those that are offered', async () => {
    await open();
    const context = await runtime.startTask('session-2', {session_id: 'session-2'});
    expect(await runtime.executeTool('kernel:show-workspace', {}, context)).toMatchObject({
      error: {code: 'TOOL_NOT_FOUND', message: expect.stringContaining('internal')},
    });
    expect((await runtime.listGovernedTools(context)).map(({tool}) => tool.name)).toEqual([
      'kernel:revert-changes',
      'kernel:show-request',
      'kernel:withdraw-request',
      'other:do',
      'work:do',
    ]);
  });

  test.each([
    ['show-task', {task_id: 'E-1'}],
    ['amend-task', {task_id: 'E-1', title: 'Mine'}],
    ['claim-task', {task_id: 'E-1'}],
    ['block-task', {task_id: 'E-1', reason: ''}],
    ['unblock-task', {task_id: 'E-1'}],
    ['release-task', {task_id: 'E-1', reason: ''}],
    ['complete-task', {task_id: 'E-1'}],
    ['list-evidence', {task_id: 'E-1'}],
    ['create-task', {id: 'E-2', lane_id: 'core', type: 'errand'}],
  ])('%s leaves the tasks of other packs alone', async (verb, input) => {
    const call = await open();
    unwrap(await runtime.createTask({id: 'E-1', lane_id: 'core', type: 'errand'}));
    const before = runtime.listTasks();
    expect(await call(verb, input)).toMatchObject({error: {code: 'TASK_OF_ANOTHER_PACK'}});
    expect(runtime.listTasks()).toEqual(before);
    expect(await call(verb, {...input, task_id: 'session-1', type: 'unit', extra: 1})).toMatchObject({
      error: {code: 'INVALID_INPUT'},
    });
  });

  test('policy decides about them, the rules of the pack that has them called among them', async () => {
    const call = await open([
      {
        id: 'no-override',
        trigger: 'on_tool_request',
        decision: 'deny',
        when: {tool: 'kernel:release-task', arguments: {'/held_by': {exists: true}}},
      },
    ]);
    await call('create-task', unit);
    unwrap(await runtime.claimTask({task_id: 'WU-1', by: 'ann', session_id: 'gone'}));
    expect(await call('release-task', {task_id: 'WU-1', reason: 'late', held_by: 'gone'})).toMatchObject({
      error: {code: 'POLICY_DENIED', details: {rule_id: 'no-override'}},
    });
  });

  test('a task that is claimed, gone or unknown cannot be amended, nor to what cannot be', async () => {
    const call = await open();
    await call('create-task', unit);
    const scopes = [{type: 'path', pattern: '../x', access: 'read'}];
    expect(await call('amend-task', {task_id: 'WU-1', declared_scopes: scopes})).toMatchObject({
      error: {code: 'INVALID_INPUT'},
    });
    expect(await call('amend-task', {task_id: 'WU-1'})).toMatchObject({error: {code: 'INVALID_INPUT'}});
    expect(await call('amend-task', {task_id: 'WU-9', title: 'x'})).toMatchObject({error: {code: 'TASK_NOT_FOUND'}});
    await call('claim-task', {task_id: 'WU-1'});
    expect(await call('amend-task', {task_id: 'WU-1', title: 'x'})).toMatchObject({error: {code: 'TASK_NOT_READY'}});
  });

  test('what a task may touch follows its newest spec, in every process', async () => {
    const call = await open();
    const narrow = (folder: string): object => ({
      declared_scopes: [{type: 'path', pattern: `${folder}/**`, access: 'write'}],
    });
    await call('create-task', {...unit, ...narrow('a')});
    const granted = async (at: StagedRuntime): Promise<unknown> => {
      const run = unwrap(await at.claimTask({task_id: 'WU-1', by: 'ann', session_id: 's'}));
      const context = contextOf('WU-1', run);
      const {granted_scopes} = await at.explainTool('files:write', {}, context);
      unwrap(await at.releaseTask({task_id: 'WU-1', session_id: 's', reason: ''}));
      return granted_scopes?.write;
    };
    const second = await stage.open({packs: [work(), other, filesPack], scripts});
    expect(await granted(second)).toEqual(['a/**']);
    await call('amend-task', {task_id: 'WU-1', ...narrow('b')});
    expect(await granted(second)).toEqual(['b/**']);
    const third = await stage.open({packs: [work(), other, filesPack]});
    expect(await granted(third)).toEqual(['b/**']);
  });

  test('an approval of a claim is for the spec that was checked', async () => {
    const ask: PolicyRule = {id: 'ask', trigger: 'on_claim', decision: 'approval_required'};
    const call = await open([ask]);
    await call('create-task', unit);
    const asked = await call('claim-task', {task_id: 'WU-1'});
    const request_id = String(asked.error?.details?.['request_id']);
    expect(await call('list-approvals', {states: ['pending']})).toMatchObject({
      data: {total: 1, approvals: [{request_id, kind: 'claim', task_id: 'WU-1', requested_by: 'agent'}]},
    });
    unwrap(await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'}));
    await call('amend-task', {task_id: 'WU-1', title: 'Another'});
    expect(await call('claim-task', {task_id: 'WU-1'})).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
    expect(await call('list-approvals', {task_id: 'WU-1', limit: 1})).toMatchObject({
      data: {total: 2, approvals: [{state: 'pending'}]},
    });
  });

  test("the session's own task takes no place from what it claims", async () => {
    runtime = await stage.open({
      packs: [work()],
      scripts,
      workspace: {lanes: [{id: 'core', allowed_scopes: [], wip_limit: 1}]},
    });
    const context = await runtime.startTask('session-1');
    unwrap(await runtime.createTask(unit));
    unwrap(await runtime.createTask({...unit, id: 'WU-2'}));
    const claim = async (task_id: string): Promise<unknown> =>
      (await runtime.executeTool('work:do', {tool: 'kernel:claim-task', input: {task_id}}, context)).data;
    expect(await claim('WU-1')).toMatchObject({success: true});
    expect(await claim('WU-2')).toMatchObject({error: {code: 'WIP_LIMIT_REACHED', details: {in_progress: ['WU-1']}}});
  });

  test('tasks are listed in order, filtered, a page at a time', async () => {
    const call = await open();
    for (let index = 1; index <= 5; index++) unwrap(await runtime.createTask({...unit, id: `WU-${index}`}));
    unwrap(await runtime.createTask({id: 'E-1', lane_id: 'core', type: 'errand'}));
    unwrap(await runtime.claimTask({task_id: 'WU-4', by: 'ann', session_id: 's'}));
    const ids = async (query: object): Promise<unknown> => {
      const {data} = await call('list-tasks', query);
      const {tasks, total, next_after} = data as {tasks: {task_id: string}[]; total: number; next_after?: string};
      return [tasks.map(({task_id}) => task_id).join(' '), total, next_after];
    };
    expect(await ids({})).toEqual(['WU-1 WU-2 WU-3 WU-4 WU-5', 5, undefined]);
    expect(await ids({limit: 2})).toEqual(['WU-1 WU-2', 5, 'WU-2']);
    expect(await ids({limit: 2, after: 'WU-2'})).toEqual(['WU-3 WU-4', 5, 'WU-4']);
    expect(await ids({limit: 2, after: 'WU-4'})).toEqual(['WU-5', 5, undefined]);
    expect(await ids({states: ['active', 'done']})).toEqual(['WU-4', 1, undefined]);
    expect(await ids({held_by: 's'})).toEqual(['WU-4', 1, undefined]);
    expect(await ids({held_by: 'session-1'})).toEqual(['', 0, undefined]);
    expect(await ids({task_ids: ['WU-9', 'WU-3', 'E-1', 'WU-1']})).toEqual(['WU-3 WU-1', 2, undefined]);
    expect(await ids({lane_id: 'docs'})).toEqual(['', 0, undefined]);
    expect(await call('show-workspace', {})).toMatchObject({
      data: {id: 'stage', task_types: ['unit'], lanes: [{id: 'core', in_progress: ['session-1', 'WU-4']}]},
    });
  });

  test("a task's calls are listed newest first, with their data where it is asked for", async () => {
    const call = await open();
    unwrap(await runtime.createTask(unit));
    const run = unwrap(await runtime.claimTask({task_id: 'WU-1', by: 'ann', session_id: 's'}));
    const context = contextOf('WU-1', run);
    await runtime.executeTool('work:do', {tool: 'none:such', input: 1}, context);
    const {data} = await call('list-evidence', {task_id: 'WU-1', limit: 1, with_data: true});
    expect(data).toMatchObject({receipts: [{tool_name: 'none:such', result: 'denied', error_code: 'TOOL_NOT_FOUND'}]});
    const before_seq = (data as {next_before_seq: number}).next_before_seq;
    const rest = await call('list-evidence', {task_id: 'WU-1', before_seq, with_data: true});
    expect(rest.data).toMatchObject({
      receipts: [{tool_name: 'work:do', result: 'success', data: {success: false, error: {code: 'TOOL_NOT_FOUND'}}}],
    });
    expect(JSON.stringify((await call('list-evidence', {task_id: 'WU-1'})).data)).not.toContain('"data"');
    const all = (await call('list-evidence', {limit: 1})).data as {next_before_seq: number};
    expect(all).toMatchObject({receipts: [{task_id: 'WU-1', tool_name: 'none:such'}]});
    expect((await call('list-evidence', {before_seq: all.next_before_seq})).data).toEqual({
      receipts: [expect.objectContaining({task_id: 'WU-1', tool_name: 'work:do'})],
    });
  });
});
