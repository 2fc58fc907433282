// A pack's check before a task of its types is claimed: the kernel makes it in the ready task, for every claim.
import type {FactoryRule, PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import type {Script} from '../../../support/scripted-dispatcher.ts';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const claim = {task_id: 'WU-1', by: 'ann', session_id: 's'};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  /** A ready task of the type `unit`, whose pack has `work:look` called before it is claimed. */
  async function planUnit(look: Script, rules: readonly (PolicyRule | FactoryRule)[] = []): Promise<StagedRuntime> {
    const runtime = await stage.open({
      packs: [
        examplePack({
          id: 'work',
          task_types: ['unit'],
          claim_check: 'work:look',
          tools: [
            {name: 'work:look', internal_only: true},
            {name: 'work:take', permission: 'write'},
          ],
          rules,
        }),
      ],
      scripts: {
        'work:look': look,
        'work:take': async ({callTool}) => {
          const data = await callTool('kernel:claim-task', {task_id: 'WU-1'});
          return {output: {success: true, data}};
        },
      },
    });
    unwrap(await runtime.createTask({id: 'WU-1', lane_id: 'core', type: 'unit'}));
    return runtime;
  }
  const free: Script = () => ({output: {success: true, data: {free: true}}});
  const taken: Script = () => ({output: {success: false, error: {code: 'LEASED', message: 'bob has it'}}});

  test('is called with an empty input for the session that claims, in the run that there would be', async () => {
    const runtime = await planUnit(free);
    const {run_id} = unwrap(await runtime.claimTask(claim));
    expect(runtime.dispatcher.requests).toMatchObject([
      {tool: {name: 'work:look'}, input: {}, task_id: 'WU-1', session_id: 's', run_id},
    ]);
    const {receipts} = await runtime.evidence.readTracesByTaskId('WU-1');
    expect(receipts).toMatchObject([
      {started: {execution_metadata: {claim_of: 'WU-1', claimed_by: 'ann'}}, finished: {result: 'success'}},
    ]);
  });

  test('refuses the claim when it fails, with its reason; the task stays ready', async () => {
    const runtime = await planUnit(taken);
    expect(await runtime.claimTask(claim)).toMatchObject({
      error: {
        code: 'CLAIM_CHECK_FAILED',
        message: 'the check `work:look` refuses the claim of task `WU-1`: bob has it',
        details: {tool_name: 'work:look', cause: 'LEASED', receipt_id: expect.stringMatching(/^rcp-/)},
      },
    });
    expect(unwrap(await runtime.inspectTask('WU-1')).state).toBe('ready');
  });

  test('refuses it when policy denies the check', async () => {
    const runtime = await planUnit(free, [
      {id: 'never', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'work:look'}},
    ]);
    expect(await runtime.claimTask(claim)).toMatchObject({
      error: {code: 'CLAIM_CHECK_FAILED', details: {cause: 'POLICY_DENIED', rule_id: 'never'}},
    });
  });

  test('waits for approval if the check needs it; the approval is for one session, one claimant and one attempt', async () => {
    const runtime = await planUnit(free, [
      {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'work:look'}},
    ]);
    const waiting = await runtime.claimTask(claim);
    expect(waiting).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
    const request_id = waiting.success ? '' : String(waiting.error.details?.['request_id']);
    unwrap(await runtime.resolveApproval({request_id, approved: true, approved_by: 'bob'}));
    expect(await runtime.claimTask({...claim, session_id: 'x'})).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
    expect(await runtime.claimTask({...claim, by: 'eve'})).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
    unwrap(await runtime.claimTask(claim));
    unwrap(await runtime.releaseTask({task_id: 'WU-1', reason: 'lunch'}));
    expect(await runtime.claimTask(claim)).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
  });

  test('what it answers is evidence for rules of on_claim', async () => {
    const runtime = await planUnit(free, [
      {
        id: 'not-free',
        trigger: 'on_claim',
        decision: 'deny',
        when: ({evidence = []}) => JSON.stringify(evidence.at(-1)?.data) === '{"free":true}',
      },
    ]);
    expect(await runtime.claimTask(claim)).toMatchObject({
      error: {code: 'POLICY_DENIED', details: {rule_id: 'not-free'}},
    });
  });

  test('is made where a tool claims, as a call below that one', async () => {
    const runtime = await planUnit(taken);
    const context = await runtime.startTask('desk', {session_id: 's'});
    const {data} = await runtime.executeTool('work:take', {}, context);
    expect(data).toMatchObject({error: {code: 'CLAIM_CHECK_FAILED'}});
    const [asked] = (await runtime.evidence.readTracesByTaskId('WU-1')).receipts;
    const {receipts} = await runtime.evidence.readTracesByTaskId('desk');
    const claiming = receipts.find(({started}) => started.tool_name === 'kernel:claim-task');
    expect(asked?.started.parent_receipt_id).toBe(claiming?.receipt_id);
  });

  test('reserves nothing: it calls no other tool, and a faster claim gets the task', async () => {
    const received: unknown[] = [];
    const runtime: StagedRuntime = await planUnit(async ({callTool, session_id}) => {
      received.push(await callTool('kernel:show-task', {task_id: 'WU-1'}));
      if (session_id === 's') unwrap(await runtime.claimTask({...claim, session_id: 'faster'}));
      return {output: {success: true}};
    });
    expect(await runtime.claimTask(claim)).toMatchObject({error: {code: 'TASK_NOT_CLAIMABLE'}});
    expect(received).toMatchObject([{error: {code: 'TASK_NOT_ACTIVE'}}, {error: {code: 'TASK_NOT_ACTIVE'}}]);
    expect(unwrap(await runtime.inspectTask('WU-1')).run?.session_id).toBe('faster');
  });

  test('is not made for a task that cannot be claimed anyway, nor for tasks of other types', async () => {
    const runtime = await planUnit(taken);
    unwrap(await runtime.amendTask({task_id: 'WU-1', by: 'ann', changes: {blocked_by: ['first']}}));
    expect(await runtime.claimTask(claim)).toMatchObject({error: {code: 'TASK_NOT_CLAIMABLE'}});
    await runtime.startTask('plain');
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('explaining names it without calling it', async () => {
    const runtime = await planUnit(taken);
    const explained = unwrap(await runtime.explainTransition({kind: 'claim', task_id: 'WU-1'}));
    expect(explained).toMatchObject({decision: 'allow', check: 'work:look'});
    expect(runtime.dispatcher.requests).toEqual([]);
  });
});
