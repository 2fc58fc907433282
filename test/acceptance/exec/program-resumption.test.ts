// How runs of programs wait for people, and how they are resumed.
import {resumeProgram, runProgram, startProgramScheduler, viewProgramRun} from '@lumenflow/host/exec';
import {expect, it, vi} from 'vitest';
import {opened} from '../../support/opened.ts';
import {programWorkspace} from './program-workspace.fixture.ts';

const workspace = programWorkspace();
const {made, run, approve, resumed} = workspace;
const by = 'shop';

it('waits for the approval of a call and of a step, and repeats nothing when it is resumed', async () => {
  const waiting = await run(`
  - {call: item:write, args: {id: a}}
  - {call: item:publish, args: {id: a}, as: published}
  - {wait_for_approval: "Tell about \${published.published}?"}
  - {call: item:write, args: {id: b}}
  - return: "\${published.published}"
`);
  expect(waiting).toMatchObject({state: 'waiting', approvals: [expect.stringContaining('apr-')]});
  expect(await viewProgramRun(workspace.host, waiting.run_id)).toEqual({ok: true, value: waiting});
  await approve(waiting);
  const again = await resumed(waiting);
  expect(again).toMatchObject({
    state: 'waiting',
    steps: [{}, {state: 'succeeded'}, {state: 'waiting', kind: 'wait_for_approval'}],
  });
  expect(again.approvals).not.toEqual(waiting.approvals);
  expect(await viewProgramRun(workspace.host, waiting.run_id)).toEqual({ok: true, value: again});
  await approve(again);
  expect(await resumed(waiting)).toMatchObject({state: 'succeeded', value: 'a'});
  expect(made).toEqual(['write a', 'publish a', 'write b']);
});

it('keeps the identity and the surface of its start, even when an operator resumes it', async () => {
  const {runtime} = workspace.host;
  const text = 'name: asking\nsteps: [{wait_for_approval: "Go on?"}, {call: item:write, args: {id: a}}]';
  const program = {file: 'asking.yaml', text};
  const started = await runProgram(workspace.host, {program, by: 'agent', surface: 'mcp'});
  const waiting = started.ok ? started.value : undefined;
  expect(waiting).toMatchObject({state: 'waiting', by: 'agent'});
  if (!waiting) return;
  await approve(waiting);
  const {run_id} = waiting;
  expect(await resumeProgram(workspace.host, {run_id, by: 'eve'})).toMatchObject({
    problem: {code: 'SESSION_DENIED', message: expect.stringContaining('`agent` started the run')},
  });
  expect(made).toEqual([]);
  expect(await resumeProgram(workspace.host, {run_id, by: 'eve', is_operator: true})).toMatchObject({
    value: {state: 'succeeded'},
  });
  const {receipts} = await runtime.evidence.readTracesByTaskId(run_id);
  expect(receipts.map(({started: {by, surface}}) => [by, surface])).toEqual([['agent', 'mcp']]);
});

it.each(['a person', 'a host'])(
  'is resumed by %s after it was killed between its request and its block',
  async (who) => {
    const {host} = workspace;
    const {runtime, workspaceRoot} = host;
    const activeIds = (): readonly string[] => runtime.listTasks({state: 'active'}).map(({task_id}) => task_id);
    const before = activeIds();
    const killed = Object.create(runtime, {
      blockTask: {value: async () => await Promise.reject(new Error('killed'))},
    }) as typeof runtime;
    const text = 'name: asking\nsteps: [{wait_for_approval: "Go on?"}, {call: item:write, args: {id: a}}]';
    const request = {program: {file: 'asking.yaml', text}, by};
    await expect(runProgram({runtime: killed, workspaceRoot}, request)).rejects.toThrow('killed');
    const run_id = activeIds().find((id) => !before.includes(id)) ?? '';
    const seen = await viewProgramRun(host, run_id);
    expect(seen).toMatchObject({value: {state: 'waiting', approvals: [expect.stringContaining('apr-')]}});
    const scheduler = who === 'a host' ? startProgramScheduler(host, {onError: expect.unreachable}) : undefined;
    try {
      if (seen.ok) await approve(seen.value);
      if (scheduler === undefined) await resumeProgram(host, {run_id, by});
      await vi.waitFor(
        () => expect(runtime.listTasks({state: 'done'}).map(({task_id}) => task_id)).toContain(run_id),
        20_000,
      );
    } finally {
      await scheduler?.close();
    }
    expect(made).toEqual(['write a']);
  },
);

it('is resumed by a host once its requests are answered, also if they were answered before it started', async () => {
  const {host} = workspace;
  const {runtime} = host;
  const asking = '  - {wait_for_approval: "Go on?"}\n  - {call: item:write, args: {id: a}}\n  - {return: done}';
  const stateOf = (run_id: string): unknown => runtime.listTasks().find(({task_id}) => task_id === run_id);
  const [early, late, stopped, pending] = [await run(asking), await run(asking), await run(asking), await run(asking)];
  expect(stateOf(early.run_id)).toMatchObject({
    state: 'blocked',
    blocked_reason: `waits for a person: ${early.approvals?.join() ?? ''}`,
  });
  // A person unblocks it, and blocks it for a reason of their own.
  await runtime.unblockTask({task_id: stopped.run_id});
  await runtime.blockTask({task_id: stopped.run_id, reason: 'not today'});
  await approve(stopped);
  await approve(early);
  const errors: unknown[] = [];
  const scheduler = startProgramScheduler(host, {onError: (error) => errors.push(error)});
  try {
    await vi.waitFor(() => expect(stateOf(early.run_id)).toMatchObject({state: 'done'}), 60_000);
    await approve(late);
    await vi.waitFor(() => expect(stateOf(late.run_id)).toMatchObject({state: 'done'}), 60_000);
  } finally {
    await scheduler.close();
  }
  expect(errors).toEqual([]);
  expect(made).toEqual(['write a', 'write a']);
  expect([stateOf(stopped.run_id), stateOf(pending.run_id)]).toMatchObject([{state: 'blocked'}, {state: 'blocked'}]);
});

it('fails when a person rejects a step', async () => {
  const waiting = await run('  - {wait_for_approval: "Go on?"}\n  - {call: item:write, args: {id: a}}');
  await workspace.host.runtime.resolveApproval({
    request_id: waiting.approvals?.[0] ?? '',
    approved: false,
    approved_by: 'ann',
    reason: 'no',
  });
  expect(await resumed(waiting)).toMatchObject({
    state: 'failed',
    error: {code: 'POLICY_DENIED', details: {step: '/steps/0'}},
  });
  expect(made).toEqual([]);
});

it('is approved once as a whole', async () => {
  const text = `
name: publish
inputs: {ids: {type: array}}
steps:
  - foreach: inputs.ids
    item: id
    max: 9
    steps: [{call: item:publish, args: {id: "\${id}"}}]
`;
  const program = {file: 'publish.yaml', text};
  const started = await runProgram(workspace.host, {program, inputs: {ids: ['a', 'b']}, by, approved_as_whole: true});
  const waiting = started.ok ? started.value : undefined;
  expect(waiting).toMatchObject({state: 'waiting', steps: [], approvals: [expect.any(String)]});
  expect(made).toEqual([]);
  if (!waiting) return;
  expect(await viewProgramRun(workspace.host, waiting.run_id)).toEqual({ok: true, value: waiting});
  await approve(waiting);
  expect(await resumed(waiting)).toMatchObject({state: 'succeeded'});
  expect(made).toEqual(['publish a', 'publish b']);
});

it('asks again for the program as a whole if a tool has changed since', async () => {
  const {host, handlers} = workspace;
  const program = {file: 'a.yaml', text: 'name: a\nsteps: [{call: item:publish, args: {id: a}}]'};
  const started = await runProgram(host, {program, by, approved_as_whole: true});
  const waiting = started.ok ? started.value : undefined;
  if (!waiting) throw new Error('the program was not started');
  await approve(waiting);
  const changed = {...handlers, 'item:publish': {run: () => made.push('another publish')}};
  expect(await host.setHandlers(changed)).toMatchObject({status: 'changed'});
  try {
    const again = await resumed(waiting);
    expect(again).toMatchObject({state: 'waiting', steps: []});
    expect(again.approvals).not.toEqual(waiting.approvals);
    expect(made).toEqual([]);
  } finally {
    await host.setHandlers(handlers);
  }
});

it('permits the tools of an approved program in its run only', async () => {
  const {host} = workspace;
  const {runtime} = host;
  const session = opened(await host.openSession({by}));
  const {task_id, run_id, session_id} = session;
  const [tool] = [runtime.workspace.tools.get('item:publish')];
  const permitted = (pack_integrity = tool?.pack.integrity ?? '') => [
    {tool_name: 'item:publish', pack_id: 'local', pack_integrity},
  ];
  const ask = async (shown: string, integrity?: string): Promise<string> => {
    const request = {task_id, session_id, by, shown, permitted_tools: permitted(integrity)};
    const asked = await runtime.requestApproval(request);
    const request_id = asked.success ? asked.data.approval.request_id : '';
    expect(asked).toMatchObject({success: true, data: {answer: 'pending'}});
    await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
    expect(await codeWith(request_id)).toBe('APPROVAL_REQUIRED');
    expect(await runtime.requestApproval(request)).toMatchObject({
      data: {answer: 'approved', approval: {state: 'used'}},
    });
    return request_id;
  };
  const codeWith = async (program_approval: string, context = {task_id, run_id, session_id}): Promise<string> => {
    const output = await runtime.executeTool('item:publish', {id: 'x'}, {...context, program_approval});
    return output.success ? 'success' : output.error.code;
  };
  const approval = await ask('this program');
  expect([await codeWith(approval), await codeWith(approval)]).toEqual(['success', 'success']);
  expect(await codeWith('apr-none')).toBe('APPROVAL_REQUIRED');
  const other = opened(await host.openSession({by}));
  expect(await codeWith(approval, {task_id: other.task_id, run_id: other.run_id, session_id: other.session_id})).toBe(
    'APPROVAL_REQUIRED',
  );
  // As if the pack had changed since.
  expect(await codeWith(await ask('another program', 'sha256:other'))).toBe('APPROVAL_REQUIRED');
  expect(await runtime.requestApproval({task_id, session_id: other.session_id, by, shown: ''})).toMatchObject({
    error: {code: 'TASK_NOT_ACTIVE'},
  });
  await session.release('done');
  await other.release('done');
});

it('neither starts nor resumes a run with limits that are not valid', async () => {
  const limits = {parallel: 0};
  const program = {file: 'test.yaml', text: 'name: test\nsteps: [{return: 1}]'};
  const {run_id} = await run('  - {wait_for_approval: "Go on?"}');
  const refusal = {ok: false, problem: {code: 'INVALID_INPUT', message: expect.stringContaining('`limits`')}};
  expect(await runProgram(workspace.host, {program, by}, {limits})).toMatchObject(refusal);
  expect(await resumeProgram(workspace.host, {run_id, by}, {limits})).toMatchObject(refusal);
});
