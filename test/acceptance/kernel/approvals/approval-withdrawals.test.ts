// Requests end with the task they were asked in, can be withdrawn by their author, and are limited for each session.
import type {ExecutionContext} from '@lumenflow/kernel';
import type {PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, unwrap, type RuntimeWords, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const ask: PolicyRule = {
  id: 'ask',
  trigger: 'on_tool_request',
  decision: 'approval_required',
  when: {tool: 'files:write'},
};
const asking: RuntimeWords = {
  workspace: {policies: {default_decision: 'allow', rules: [ask]}},
};
const day = 24 * 60 * 60 * 1_000;

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  let runtime: StagedRuntime;
  let context: ExecutionContext;
  beforeEach(async () => {
    stage = createStage(kind);
    runtime = await stage.open(asking);
    context = await runtime.startTask();
  });
  afterEach(() => stage.close());

  async function request(path = 'a', as = context, on = runtime): Promise<string> {
    const {error} = await on.executeTool('files:write', {path}, as);
    expect(error?.code).toBe('APPROVAL_REQUIRED');
    return String(error?.details?.['request_id']);
  }
  const approve = async (request_id: string) =>
    await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});

  test('completing a task withdraws only its own pending and approved requests', async () => {
    const other = await request('a', await runtime.startTask('task-2', {session_id: 'session-2'}));
    const approved = await request('a');
    unwrap(await approve(approved));
    const pending = await request('b');
    unwrap(await runtime.completeTask({task_id: 'task-1', by: 'agent', session_id: 'session-1'}));
    expect(runtime.listApprovals({state: 'withdrawn'})).toMatchObject([
      {request_id: approved, withdrawn_by: 'agent', withdrawn_reason: 'task `task-1` was completed'},
      {request_id: pending},
    ]);
    expect(runtime.listApprovals({state: 'pending'})).toMatchObject([{request_id: other}]);
    expect(await approve(pending)).toMatchObject({
      error: {
        code: 'APPROVAL_WITHDRAWN',
        message: `approval request \`${pending}\` was withdrawn: task \`task-1\` was completed`,
        details: {withdrawn_by: 'agent'},
      },
    });
  });

  test('a task that is released withdraws them too; one that is blocked keeps them', async () => {
    const request_id = await request();
    unwrap(await runtime.blockTask({task_id: 'task-1', session_id: 'session-1', reason: 'lunch'}));
    expect(runtime.listApprovals({state: 'pending'})).toHaveLength(1);
    unwrap(await runtime.releaseTask({task_id: 'task-1', session_id: 'session-1', reason: 'enough'}));
    expect(await approve(request_id)).toMatchObject({
      error: {code: 'APPROVAL_WITHDRAWN', message: expect.stringContaining('task `task-1` was released')},
    });
  });

  test('the request of a claim goes with the last task of the session that asked', async () => {
    const claims: PolicyRule = {id: 'ask-claim', trigger: 'on_claim', decision: 'approval_required'};
    const strict = await stage.open({
      workspace: {policies: {default_decision: 'allow', rules: [claims]}},
    });
    unwrap(await strict.createTask({id: 'next', lane_id: 'core'}));
    const asked = await strict.claimTask({task_id: 'next', by: 'agent', session_id: 'session-1'});
    expect(asked).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
    unwrap(await runtime.completeTask({task_id: 'task-1', by: 'agent', session_id: 'session-1'}));
    expect(runtime.listApprovals({state: 'withdrawn'})).toMatchObject([{subject: {kind: 'claim', task_id: 'next'}}]);
  });

  test('only the requester can withdraw a request, and only once', async () => {
    const request_id = await request();
    expect(await runtime.withdrawApproval({request_id, by: 'ann'})).toMatchObject({
      error: {
        code: 'APPROVAL_OF_ANOTHER',
        details: {requested_by: 'agent'},
      },
    });
    expect(unwrap(await runtime.withdrawApproval({request_id, by: 'agent', reason: 'a typo'}))).toMatchObject({
      state: 'withdrawn',
      withdrawn_by: 'agent',
      withdrawn_reason: 'a typo',
    });
    expect(await runtime.withdrawApproval({request_id, by: 'agent'})).toMatchObject({
      error: {code: 'APPROVAL_RESOLVED'},
    });
    expect(await runtime.withdrawApproval({request_id: 'apr-none', by: 'agent'})).toMatchObject({
      error: {code: 'APPROVAL_NOT_FOUND'},
    });
    expect(await request()).not.toBe(request_id);
    const expired = await request('b');
    stage.clock.move(8 * day);
    expect(await runtime.withdrawApproval({request_id: expired, by: 'agent'})).toMatchObject({
      error: {code: 'APPROVAL_RESOLVED', details: {state: 'expired'}},
    });
  });

  test('a session can have 20 pending requests, and the refusal of the next one lists them', async () => {
    const open: string[] = [];
    for (let index = 0; index < 20; index += 1) open.push(await request(`f${index}`));
    const refused = await runtime.executeTool('files:write', {path: 'one-more'}, context);
    expect(refused.error).toMatchObject({
      code: 'APPROVAL_LIMIT_REACHED',
      details: {max: 20, open},
    });
    expect(refused.error?.message).toContain(String(open[7]));
    expect(await request('f3')).toBe(open[3]);
    const second = await runtime.startTask('task-2', {session_id: 'session-2'});
    await request('elsewhere', second);
    unwrap(await approve(open[0] ?? ''));
    expect(open).not.toContain(await request('one-more'));
    unwrap(await runtime.withdrawApproval({request_id: open[1] ?? '', by: 'agent'}));
    await request('and-one-more');
    stage.clock.move(8 * day);
    await request('after they expired');
  });

  test('workspace.yaml sets the maximum, and claims count as well', async () => {
    const rules: PolicyRule[] = [ask, {id: 'ask-claim', trigger: 'on_claim', decision: 'approval_required'}];
    const policies = {default_decision: 'allow' as const, rules};
    const one = await stage.open({
      workspace: {policies, approvals: {max_pending_per_session: 1}},
    });
    const pending = await request('a', context, one);
    unwrap(await one.createTask({id: 'next', lane_id: 'core'}));
    expect(await one.claimTask({task_id: 'next', by: 'agent', session_id: 'session-1'})).toMatchObject({
      error: {
        code: 'APPROVAL_LIMIT_REACHED',
        details: {max: 1, open: [pending]},
      },
    });
  });
});
