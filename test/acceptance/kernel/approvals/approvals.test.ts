// Approvals of calls: a person's durable answer lets exactly one call through, and only the very same.
import type {ExecutionContext} from '@lumenflow/kernel';
import type {PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {
  createStage,
  filesPack,
  unwrap,
  type RuntimeWords,
  type Stage,
  type StagedRuntime,
} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const ask: PolicyRule = {
  id: 'ask',
  trigger: 'on_tool_request',
  decision: 'approval_required',
  when: {tool: 'files:write'},
};
const asking: RuntimeWords = {workspace: {policies: {default_decision: 'allow', rules: [ask]}}};
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

  const write = (path = 'a', on = runtime, as = context): Promise<ToolOutput> =>
    on.executeTool('files:write', {path}, as);

  /** The id of the request that the call leads to. */
  async function request(path = 'a', on = runtime, as = context): Promise<string> {
    const output = await write(path, on, as);
    expect(output.error?.code).toBe('APPROVAL_REQUIRED');
    return String(output.error?.details?.['request_id']);
  }

  const answer = async (request_id: string, approved = true, on = runtime) =>
    unwrap(await on.resolveApproval({request_id, approved, approved_by: 'ann', reason: 'because'}));

  test('APPROVAL_REQUIRED names the request, which binds the call and is durable', async () => {
    const output = await write();
    const {request_id, expires_at} = output.error?.details ?? {};
    expect(output.error).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      details: {rule_id: 'ask', layer: 'workspace', where: 'workspace.yaml#/policies/rules/0'},
    });
    expect(expires_at).toBe(stage.clock.timestamp(7 * day));
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.finished).toMatchObject({result: 'denied', error_code: 'APPROVAL_REQUIRED'});
    expect(runtime.listApprovals()).toMatchObject([
      {
        request_id,
        state: 'pending',
        requested_by: 'agent',
        input_ref: receipt?.started.input_ref,
        rules: [{rule_id: 'ask'}],
        subject: {
          kind: 'call',
          ...context,
          tool_name: 'files:write',
          pack_id: 'files',
          pack_version: '1.0.0',
          pack_integrity: receipt?.started.pack_integrity,
          input_hash: receipt?.started.input_hash,
        },
      },
    ]);
    expect(await request()).toBe(request_id);
    expect(runtime.listApprovals()).toHaveLength(1);
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('approved, the same call goes through exactly once; then it asks again', async () => {
    const request_id = await request();
    expect(await answer(request_id)).toMatchObject({state: 'approved', resolved_by: 'ann', reason: 'because'});
    const output = await write();
    expect(output.success).toBe(true);
    const receipt_id = output.metadata?.receipt_id;
    expect((await runtime.evidence.receipt(receipt_id ?? ''))?.started.approval_request_id).toBe(request_id);
    expect(runtime.listApprovals({state: 'used'})).toMatchObject([{request_id, used_by: receipt_id}]);
    expect(await request()).not.toBe(request_id);
    expect(runtime.dispatcher.requests).toHaveLength(1);
  });

  test('calls that meet ask once, in all processes', async () => {
    const other = await stage.open(asking);
    const asked = await Promise.all(
      Array.from({length: 20}, (_, index) => request('a', index % 2 === 0 ? runtime : other)),
    );
    expect(new Set(asked).size).toBe(1);
    expect(runtime.listApprovals({task_id: 'task-1'})).toHaveLength(1);
    expect(runtime.listApprovals({task_id: 'task-2'})).toEqual([]);
  });

  test('an approval that expires while the call is on its way lets nothing through', async () => {
    await answer(await request());
    const tools = filesPack.tools.map((tool) => ({
      ...tool,
      validateInput() {
        stage.clock.move(8 * day);
        return [];
      },
    }));
    const slow = await stage.open({...asking, packs: [{...filesPack, tools}]});
    expect((await write('a', slow)).success).toBe(false);
    expect(slow.dispatcher.requests).toEqual([]);
  });

  test('of 20 identical calls at once in two processes, one gets the approval', async () => {
    await answer(await request());
    const other = await stage.open(asking);
    const outputs = await Promise.all(
      Array.from({length: 20}, (_, index) => write('a', index % 2 === 0 ? runtime : other)),
    );
    expect(outputs.filter(({success}) => success)).toHaveLength(1);
    expect([...runtime.dispatcher.requests, ...other.dispatcher.requests]).toHaveLength(1);
    for (const {success, error} of outputs) {
      if (!success) expect(['APPROVAL_REQUIRED', 'POLICY_DENIED']).toContain(error?.code);
    }
    expect(runtime.listApprovals({state: 'used'})).toHaveLength(1);
  });

  test('a changed argument needs a new approval; another key order does not', async () => {
    await answer(await request('a'));
    expect(await request('b')).toBeTruthy();
    const both = {path: 'c', mode: 1};
    const first = await runtime.executeTool('files:write', both, context);
    await answer(String(first.error?.details?.['request_id']));
    expect((await runtime.executeTool('files:write', {mode: 1, path: 'c'}, context)).success).toBe(true);
    expect((await write('a')).success).toBe(true);
  });

  test('another session, run, pack version, pack content or policy asks again', async () => {
    const request_id = await request();
    await answer(request_id);
    const second = await runtime.startTask('task-2', {session_id: 'session-2'});
    expect(await request('a', runtime, second)).not.toBe(request_id);

    const tools = [{name: 'files:write', permission: 'write'}] as const;
    const newer = await stage.open({...asking, packs: [examplePack({id: 'files', version: '1.0.1', tools})]});
    expect(await request('a', newer)).not.toBe(request_id);
    const patched = examplePack({id: 'files', integrity: `sha256:${'2'.repeat(64)}`, tools});
    expect(await request('a', await stage.open({...asking, packs: [patched]}))).not.toBe(request_id);
    const stricter: PolicyRule = {id: 'more', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'other:*'}};
    const policies = {default_decision: 'allow', rules: [ask, stricter]} as const;
    const ruled = await stage.open({workspace: {policies: {...policies, rules: [...policies.rules]}}});
    expect(await request('a', ruled)).not.toBe(request_id);

    const held = {task_id: 'task-1', session_id: 'session-1', by: 'agent'};
    unwrap(await runtime.releaseTask({...held, reason: 'again'}));
    const {run_id} = unwrap(await runtime.claimTask(held));
    expect(await request('a', runtime, {...context, run_id})).not.toBe(request_id);
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('a rejection is stored with its author, time and reason', async () => {
    const request_id = await request();
    stage.clock.move(1_000);
    await answer(request_id, false);
    stage.clock.move(30 * day);
    for (const on of [runtime, await stage.open(asking)]) {
      const output = await write('a', on);
      expect(output.error).toMatchObject({
        code: 'POLICY_DENIED',
        message: '`ann` rejected exactly this call: because',
        details: {
          request_id,
          rejected_by: 'ann',
          rejected_at: stage.clock.timestamp(-30 * day),
          remedy: 'do not repeat this call: a call with other input asks again',
        },
      });
    }
    expect(await request('b')).toBeTruthy();
  });

  test('a request and an approval die after a week', async () => {
    const pending = await request('a');
    const approved = await request('b');
    stage.clock.move(6 * day);
    await answer(approved);
    stage.clock.move(day);
    expect(await runtime.resolveApproval({request_id: pending, approved: true, approved_by: 'ann'})).toMatchObject({
      error: {code: 'APPROVAL_EXPIRED'},
    });
    expect(runtime.listApprovals({state: 'expired'})).toHaveLength(2);
    // In a list of all requests, an expired one does not appear as pending.
    expect(runtime.listApprovals().filter(({state}) => state === 'expired')).toHaveLength(2);
    expect(runtime.listApprovals({state: 'expired'})[0]?.state).toBe('expired');
    expect(runtime.listApprovals({state: 'pending'})).toEqual([]);
    expect(await request('a')).not.toBe(pending);
    expect(await request('b')).not.toBe(approved);
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('the requester cannot decide the request; another person still can', async () => {
    const request_id = await request();
    expect(await runtime.resolveApproval({request_id, approved: true, approved_by: 'agent'})).toMatchObject({
      error: {code: 'SELF_APPROVAL', details: {request_id}},
    });
    expect((await write()).error?.code).toBe('APPROVAL_REQUIRED');
    await answer(request_id);
    expect((await write()).success).toBe(true);
  });

  test('self_approval: true allows it, if every rule that asks says so', async () => {
    const own = {...ask, self_approval: true};
    const lenient = await stage.open({workspace: {policies: {default_decision: 'allow', rules: [own]}}});
    const request_id = await request('a', lenient);
    unwrap(await lenient.resolveApproval({request_id, approved: true, approved_by: 'agent'}));
    expect((await write('a', lenient)).success).toBe(true);
    const mixed = await stage.open({
      workspace: {policies: {default_decision: 'allow', rules: [own, {...ask, id: 'too'}]}},
    });
    const strict = await request('a', mixed);
    expect(await mixed.resolveApproval({request_id: strict, approved: true, approved_by: 'agent'})).toMatchObject({
      error: {code: 'SELF_APPROVAL'},
    });
  });

  test('channel: inband allows it in the conversation that asked and nowhere else, and says so', async () => {
    const here = {...ask, channel: 'inband' as const};
    const open = await stage.open({workspace: {policies: {default_decision: 'allow', rules: [here]}}});
    const request_id = await request('a', open);
    const own = {request_id, approved: true, approved_by: 'agent'};
    expect(await open.resolveApproval(own)).toMatchObject({error: {code: 'SELF_APPROVAL'}});
    expect(unwrap(await open.resolveApproval({...own, channel: 'inband'}))).toMatchObject({channel: 'inband'});
    expect((await write('a', open)).success).toBe(true);
    const rules = [here, {...ask, id: 'too'}];
    const mixed = await stage.open({workspace: {policies: {default_decision: 'allow', rules}}});
    const strict = await request('a', mixed);
    expect(
      await mixed.resolveApproval({request_id: strict, approved: true, approved_by: 'agent', channel: 'inband'}),
    ).toMatchObject({error: {code: 'SELF_APPROVAL'}});
  });

  test('a request is answered once, and only if there is one', async () => {
    const request_id = await request();
    const answers = await Promise.all(
      ['ann', 'bob', 'cy'].map((approved_by, index) =>
        runtime.resolveApproval({request_id, approved: index % 2 === 0, approved_by}),
      ),
    );
    expect(answers.filter(({success}) => success)).toHaveLength(1);
    expect(answers.filter(({success}) => !success)).toMatchObject([
      {error: {code: 'APPROVAL_RESOLVED'}},
      {error: {code: 'APPROVAL_RESOLVED'}},
    ]);
    expect(await runtime.resolveApproval({request_id: 'apr-none', approved: true, approved_by: 'ann'})).toMatchObject({
      error: {code: 'APPROVAL_NOT_FOUND'},
    });
    expect(
      await runtime.resolveApproval({request_id, approved: 'yes' as unknown as boolean, approved_by: 'ann'}),
    ).toMatchObject({error: {code: 'INVALID_INPUT'}});
    expect(
      await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann', reason: 7 as unknown as string}),
    ).toMatchObject({error: {code: 'INVALID_INPUT'}});
  });

  test('a request and its answer survive restarts', async () => {
    const request_id = await request();
    await runtime.close();
    const second = await stage.open(asking);
    expect(second.listApprovals({state: 'pending', task_id: 'task-1'})).toMatchObject([{request_id}]);
    await answer(request_id, true, second);
    await second.close();
    const third = await stage.open(asking);
    expect((await write('a', third)).success).toBe(true);
    await third.close();
    expect(await request('a', await stage.open(asking))).not.toBe(request_id);
  });

  test('input that the call would fail with requests no approval', async () => {
    expect((await runtime.executeTool('files:write', {path: 7}, context)).error?.code).toBe('INVALID_INPUT');
    expect(runtime.listApprovals()).toEqual([]);
    expect(runtime.dispatcher.requests).toEqual([]);
  });
});
