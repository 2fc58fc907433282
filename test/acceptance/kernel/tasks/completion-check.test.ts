// A pack's check before a task of its types is completed: the kernel makes it in the task, for every completion.
import type {FactoryRule, PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import type {Script} from '../../../support/scripted-dispatcher.ts';
import {contextOf, createStage, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const complete = {task_id: 'WU-1', by: 'ann', session_id: 's'};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  /** A claimed task of the type `unit`, whose pack requires `work:verify` before completion. */
  async function holdUnit(verify: Script, rules: readonly (PolicyRule | FactoryRule)[] = []): Promise<StagedRuntime> {
    const runtime = await stage.open({
      packs: [
        examplePack({
          id: 'work',
          task_types: ['unit'],
          completion_check: 'work:verify',
          tools: [
            {name: 'work:verify', internal_only: true},
            {name: 'work:finish', permission: 'write'},
          ],
          rules,
        }),
      ],
      scripts: {
        'work:verify': verify,
        'work:finish': async ({callTool}) => {
          const data = await callTool('kernel:complete-task', {task_id: 'WU-1'});
          return {output: {success: true, data}};
        },
      },
    });
    await runtime.startTask('WU-1', {type: 'unit', session_id: 's'});
    return runtime;
  }
  const sound: Script = () => ({output: {success: true, data: {tree: 'abc'}}});
  const broken: Script = () => ({output: {success: false, error: {code: 'STALE', message: 'a byte has changed'}}});

  test('is called with an empty input in the task, with its own receipt', async () => {
    const runtime = await holdUnit(sound);
    expect(unwrap(await runtime.completeTask(complete))).toMatchObject({state: 'done'});
    expect(runtime.dispatcher.requests).toMatchObject([{tool: {name: 'work:verify'}, input: {}, task_id: 'WU-1'}]);
    const {receipts} = await runtime.evidence.readTracesByTaskId('WU-1');
    expect(receipts).toMatchObject([
      {started: {execution_metadata: {completion_of: 'WU-1', completed_by: 'ann'}}, finished: {result: 'success'}},
    ]);
  });

  test('refuses the completion when it fails, with its reason; the task stays as it was', async () => {
    const runtime = await holdUnit(broken);
    const refused = await runtime.completeTask(complete);
    expect(refused).toMatchObject({
      error: {
        code: 'COMPLETION_CHECK_FAILED',
        message: 'the check `work:verify` refuses the completion of task `WU-1`: a byte has changed',
        details: {tool_name: 'work:verify', cause: 'STALE', receipt_id: expect.stringMatching(/^rcp-/)},
      },
    });
    expect(unwrap(await runtime.inspectTask('WU-1')).state).toBe('active');
  });

  test('refuses it when policy denies the check, and waits where it must be approved', async () => {
    const denied = await holdUnit(sound, [
      {id: 'never', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'work:verify'}},
    ]);
    expect(await denied.completeTask(complete)).toMatchObject({
      error: {code: 'COMPLETION_CHECK_FAILED', details: {cause: 'POLICY_DENIED', rule_id: 'never'}},
    });
    await stage.close();
    stage = createStage(kind);
    const asked = await holdUnit(sound, [
      {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'work:verify'}},
    ]);
    const waiting = await asked.completeTask(complete);
    expect(waiting).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
    const request_id = waiting.success ? '' : String(waiting.error.details?.['request_id']);
    unwrap(await asked.resolveApproval({request_id, approved: true, approved_by: 'bob'}));
    expect(await asked.completeTask(complete)).toMatchObject({success: true});
  });

  test('its output is evidence for rules of on_completion, regardless of earlier calls', async () => {
    const runtime = await holdUnit(sound, [
      {
        id: 'fresh',
        trigger: 'on_completion',
        decision: 'deny',
        when: ({evidence = []}) =>
          JSON.stringify(evidence.findLast(({tool_name}) => tool_name === 'work:verify')?.data) === '{"tree":"abc"}',
      },
    ]);
    expect(await runtime.completeTask(complete)).toMatchObject({
      error: {code: 'POLICY_DENIED', details: {rule_id: 'fresh'}},
    });
  });

  test('is made where a tool completes, as a call below that one', async () => {
    const runtime = await holdUnit(broken);
    const {run} = unwrap(await runtime.inspectTask('WU-1'));
    if (!run) throw new Error('WU-1 is not held');
    const {data} = await runtime.executeTool('work:finish', {}, contextOf('WU-1', run));
    expect(data).toMatchObject({error: {code: 'COMPLETION_CHECK_FAILED'}});
    const {receipts} = await runtime.evidence.readTracesByTaskId('WU-1');
    const named = new Map(receipts.map((receipt) => [receipt.started.tool_name, receipt]));
    expect(named.get('work:verify')?.started.parent_receipt_id).toBe(named.get('kernel:complete-task')?.receipt_id);
    expect(runtime.dispatcher.requests.map(({depth}) => depth)).toEqual([0, 2]);
  });

  test('is not called for a caller that may not complete, nor for tasks of other types', async () => {
    const runtime = await holdUnit(broken);
    expect(await runtime.completeTask({...complete, session_id: 'x'})).toMatchObject({
      error: {code: 'TASK_NOT_ACTIVE'},
    });
    expect(runtime.dispatcher.requests).toEqual([]);
    const {session_id} = await runtime.startTask('plain');
    unwrap(await runtime.completeTask({task_id: 'plain', by: 'agent', session_id}));
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('only the kernel calls it when it is internal, and explaining names it without calling it', async () => {
    const runtime = await holdUnit(sound);
    const {run} = unwrap(await runtime.inspectTask('WU-1'));
    if (!run) throw new Error('WU-1 is not held');
    expect(await runtime.executeTool('work:verify', {}, contextOf('WU-1', run))).toMatchObject({
      error: {code: 'TOOL_NOT_FOUND'},
    });
    const explained = unwrap(await runtime.explainTransition({kind: 'completion', task_id: 'WU-1'}));
    expect(explained).toMatchObject({decision: 'allow', check: 'work:verify'});
    expect(unwrap(await runtime.explainTransition({kind: 'claim', task_id: 'WU-1'}))).not.toHaveProperty('check');
    expect(runtime.dispatcher.requests).toEqual([]);
  });
});
