// Rules that name approvers: persons, groups, and how many of them; never the asker.
import type {Approvers, PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const rule = (approvers: Approvers, id = 'ask'): PolicyRule => ({
  id,
  trigger: 'on_tool_request',
  decision: 'approval_required',
  when: {tool: 'files:write'},
  approvers,
});

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  const open = (rules: PolicyRule[]) =>
    stage.open({
      workspace: {
        policies: {default_decision: 'allow', rules},
        approvals: {groups: {leads: ['ann', 'bob', 'agent'], law: ['lea']}},
      },
    });
  const ask = async (runtime: StagedRuntime) => {
    const context = await runtime.startTask();
    const call = () => runtime.executeTool('files:write', {}, context);
    const request_id = String((await call()).error?.details?.['request_id']);
    const answer = async (approved_by: string, approved = true) => {
      const result = await runtime.resolveApproval({request_id, approved, approved_by});
      return result.success ? result.data.state : result.error.code;
    };
    const request = () => runtime.listApprovals().find((one) => one.request_id === request_id);
    return {call, answer, request};
  };

  test('what too few others could approve is refused at once, and no request is made', async () => {
    const runtime = await open([rule({by: ['ann', 'agent'], count: 2})]);
    const {error} = await runtime.executeTool('files:write', {}, await runtime.startTask());
    expect(error).toMatchObject({
      code: 'POLICY_DENIED',
      message:
        'rule `ask` needs 2 approvals, but only ann may approve what `agent` asks for: name more approvers in the rule, or let another person ask',
      details: {rule_id: 'ask', approvers: ['ann'], count: 2},
    });
    expect(runtime.listApprovals()).toEqual([]);
  });

  test('two of a group, each once, and never the asker; each answer is recorded, and who is missing is shown', async () => {
    const runtime = await open([rule({by: ['group:leads'], count: 2})]);
    const {call, answer, request} = await ask(runtime);
    expect(request()?.missing).toEqual([{rule_id: 'ask', count: 2, by: ['ann', 'bob']}]);
    expect(await answer('agent')).toBe('SELF_APPROVAL');
    expect(await answer('mallory')).toBe('APPROVER_NOT_NAMED');
    expect(await answer('mallory', false)).toBe('APPROVER_NOT_NAMED');
    expect(await answer('ann')).toBe('pending');
    expect(await answer('ann')).toBe('APPROVAL_RESOLVED');
    expect((await call()).error?.code).toBe('APPROVAL_REQUIRED');
    expect(request()).toMatchObject({
      state: 'pending',
      answers: [{by: 'ann', at: stage.clock.timestamp()}],
      missing: [{rule_id: 'ask', count: 1, by: ['bob']}],
    });
    await runtime.close();
    const next = await open([rule({by: ['group:leads'], count: 2})]);
    const {request_id} = request() ?? next.listApprovals()[0]!;
    const resolved = await next.resolveApproval({request_id, approved: true, approved_by: 'bob'});
    expect(resolved).toMatchObject({
      data: {state: 'approved', resolved_by: 'bob', answers: [{by: 'ann'}, {by: 'bob'}]},
    });
    expect(resolved).not.toHaveProperty('data.missing');
    const context = {task_id: 'task-1', ...next.listTasks()[0]!.run!};
    expect((await next.executeTool('files:write', {}, {...context, by: 'agent'})).success).toBe(true);
  });

  test.each([
    ['names approvers', {count: 2}, 'APPROVAL_REQUIRED'],
    ['requires a passkey', {passkey: true as const}, 'APPROVAL_REQUIRED'],
    ['names nobody', undefined, 'success'],
  ])("a program's approval and a rule that %s: %s", async (_what, approvers, expected) => {
    const {approvers: _without, ...plain} = rule({});
    const runtime = await open([{...plain, ...(approvers && {approvers})}]);
    const context = await runtime.startTask();
    const {task_id, session_id} = context;
    const {manifest, integrity} = runtime.workspace.tools.get('files:write')!.pack;
    const permitted = {tool_name: 'files:write', pack_id: manifest.id, pack_integrity: integrity};
    const request = {task_id, session_id, by: 'agent', shown: 'a program', permitted_tools: [permitted]};
    const asked = await runtime.requestApproval(request);
    const program_approval = asked.success ? asked.data.approval.request_id : '';
    await runtime.resolveApproval({request_id: program_approval, approved: true, approved_by: 'ann'});
    expect(await runtime.requestApproval(request)).toMatchObject({data: {answer: 'approved'}});
    const {error} = await runtime.executeTool('files:write', {}, {...context, program_approval});
    expect(error?.code ?? 'success').toBe(expected);
  });

  test('a name in another case is not another person', async () => {
    const runtime = await open([rule({count: 2})]);
    const {answer} = await ask(runtime);
    expect(await answer('Agent')).toBe('SELF_APPROVAL');
    expect(await answer('ann')).toBe('pending');
    expect(await answer('ANN')).toBe('APPROVAL_RESOLVED');
    expect(await answer('bob')).toBe('approved');
  });

  test('each rule is satisfied apart, and one approver rejects for all', async () => {
    const runtime = await open([rule({by: ['ann', 'bob']}), rule({by: ['group:law']}, 'law')]);
    const {call, answer, request} = await ask(runtime);
    expect(await answer('bob')).toBe('pending');
    expect(request()?.missing).toEqual([{rule_id: 'law', count: 1, by: ['lea']}]);
    // Nothing of what is missing waits for her.
    expect(await answer('ann')).toBe('APPROVER_NOT_NAMED');
    expect(await answer('ann', false)).toBe('rejected');
    expect(await answer('lea')).toBe('APPROVAL_RESOLVED');
    expect((await call()).error).toMatchObject({code: 'POLICY_DENIED', message: '`ann` rejected exactly this call'});
  });
});

describe('with one state', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(stateKinds[0]!);
  });
  afterEach(() => stage.close());

  test.each<[Partial<PolicyRule>, string]>([
    [{decision: 'deny'}, 'only a rule that requires an approval has approvers'],
    [{self_approval: true}, '`approvers` excludes `self_approval` and `channel`'],
    [{approvers: {by: ['group:leeds']}}, 'there is no group `leeds`'],
    [{approvers: {by: ['ann', 'group:leads'], count: 3}}, '3 approvals of 2 persons are not possible'],
    [{approvers: {by: ['ann', 'Ann'], count: 2}}, '2 approvals of 1 persons are not possible'],
  ])('%j is refused', async (more, message) => {
    const rules = [{...rule({by: ['ann']}), ...more}];
    const leads: [string, ...string[]] = ['ann', 'bob'];
    const approvals = {groups: {leads}};
    await expect(stage.open({workspace: {policies: {rules}, approvals}})).rejects.toThrow(message);
  });

  test('a member who leaves a group ends requests that were made before', async () => {
    const open = (leads: [string, ...string[]]) =>
      stage.open({
        workspace: {
          policies: {default_decision: 'allow', rules: [rule({by: ['group:leads']})]},
          approvals: {groups: {leads}},
        },
      });
    const first = await open(['ann', 'bob']);
    const context = await first.startTask();
    const call = async (runtime: StagedRuntime) =>
      String((await runtime.executeTool('files:write', {}, context)).error?.details?.['request_id']);
    const before = await call(first);
    await first.close();
    expect(await call(await open(['ann']))).not.toBe(before);
  });
});
