// What a crash leaves open is closed as crashed by the next start; calls of processes that live are left alone.
import type {DispatchOutcome, KernelRuntime} from '@lumenflow/kernel';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {contextOf, createStage, unwrap, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  let finish: (outcome: DispatchOutcome) => void;
  let outcome: Promise<DispatchOutcome>;
  beforeEach(() => {
    stage = createStage(kind);
    outcome = new Promise((resolve) => {
      finish = resolve;
    });
  });
  afterEach(async () => {
    finish({output: {success: true}});
    await stage.close();
  });

  /** A runtime with a call that has begun and waits. */
  async function openWithCall() {
    let began = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const runtime = await stage.open({
      scripts: {
        'files:write'() {
          began();
          return outcome;
        },
      },
    });
    const context = await runtime.startTask();
    const pending = runtime.executeTool('files:write', {}, context);
    await begun;
    const receipt_id = runtime.dispatcher.requests[0]?.receipt_id ?? '';
    return {runtime, context, pending, receipt_id};
  }

  test('orphan reconciliation leaves another live process’s calls alone', async () => {
    const {pending, receipt_id} = await openWithCall();
    const other = await stage.open();
    expect((await other.evidence.receipt(receipt_id))?.finished).toBeUndefined();
    expect((await other.evidence.readTraces({result: 'open'})).receipts).toHaveLength(1);
    finish({output: {success: true, data: 'done'}});
    expect(await pending).toMatchObject({success: true, data: 'done'});
    expect((await other.evidence.receipt(receipt_id))?.finished?.result).toBe('success');
  });

  test('a dead process’s calls are closed as crashed, once, with nothing claimed about their effect', async () => {
    const {runtime, receipt_id} = await openWithCall();
    stage.processes.kill(runtime.processId);
    stage.clock.move(5_000);
    const next = await stage.open();
    const receipt = await next.evidence.receipt(receipt_id);
    expect(receipt?.finished).toMatchObject({
      timestamp: stage.clock.timestamp(),
      result: 'crashed',
      error_code: 'TOOL_CRASHED',
      policy_decisions: [
        {
          decision: 'deny',
          layer: 'kernel',
          rule_id: 'kernel.reconciliation',
          reason: expect.stringContaining('unknown'),
        },
      ],
    });
    const {records} = await next.evidence.verify();
    await stage.open();
    expect((await next.evidence.verify()).records).toBe(records);
  });

  test('finished calls and refusals of a dead process stay what they are', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    const done = await runtime.executeTool('files:read', {}, context);
    const refused = await runtime.executeTool('no:tool', {}, context);
    stage.processes.kill(runtime.processId);
    const next = await stage.open();
    const results = [done, refused].map(async ({metadata}) => {
      const receipt = await next.evidence.receipt(metadata?.receipt_id ?? '');
      return receipt?.finished?.result;
    });
    expect(await Promise.all(results)).toEqual(['success', 'denied']);
  });

  test('a task claimed by a dead process stays claimed: its session may come back', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    stage.processes.kill(runtime.processId);
    const next = await stage.open();
    expect((await next.executeTool('files:read', {}, context)).success).toBe(true);
  });

  describe('a claim that ends with its process', () => {
    const lanes: WorkspaceSpec['lanes'] = [
      {id: 'core', wip_limit: 1, allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}]},
    ];
    const rules = [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required'} as const];
    const claim = {task_id: 'own', by: 'agent', session_id: 'own', ends_with_process: true};
    const states = (runtime: KernelRuntime) => runtime.listTasks().map(({state}) => state);

    async function openWithClaim(workspace: Partial<WorkspaceSpec> = {}) {
      const runtime = await stage.open({workspace: {lanes, ...workspace}});
      unwrap(await runtime.createTask({id: 'own', lane_id: 'core'}));
      return {runtime, context: contextOf('own', unwrap(await runtime.claimTask(claim)))};
    }

    test('is released when the next process opens, and the task’s history records it', async () => {
      const {runtime, context} = await openWithClaim();
      expect(states(await stage.open({workspace: {lanes}}))).toEqual(['active']);
      stage.processes.kill(runtime.processId);
      const next = await stage.open({workspace: {lanes}});
      expect(states(next)).toEqual(['ready']);
      expect(await next.events.read({types: ['task_released']})).toMatchObject([
        {actor: 'kernel.reconciliation', task_id: 'own', reason: 'the process that owned it ended'},
      ]);
      expect((await next.executeTool('files:read', {}, context)).error?.code).toBe('TASK_NOT_ACTIVE');
    });

    test('does not count in its lane, and needs no room there', async () => {
      const {runtime} = await openWithClaim();
      unwrap(await runtime.createTask({id: 'work', lane_id: 'core'}));
      unwrap(await runtime.claimTask({task_id: 'work', by: 'other', session_id: 'other'}));
      unwrap(await runtime.createTask({id: 'more', lane_id: 'core'}));
      const more = {task_id: 'more', by: 'third', session_id: 'third'};
      expect(await runtime.claimTask(more)).toMatchObject({error: {code: 'WIP_LIMIT_REACHED'}});
      unwrap(await runtime.claimTask({...more, ends_with_process: true}));
    });

    test('is released when its kernel closes, blocked or not', async () => {
      const {runtime} = await openWithClaim();
      unwrap(await runtime.blockTask({task_id: 'own', reason: 'waits'}));
      await runtime.close();
      expect(states(await stage.open({workspace: {lanes}}))).toEqual(['ready']);
    });

    test('stays while an approval is pending, and ends once it is rejected', async () => {
      const workspace = {lanes, policies: {default_decision: 'allow' as const, rules}};
      const {runtime, context} = await openWithClaim(workspace);
      const asked = await runtime.executeTool('files:read', {}, context);
      await runtime.close();
      stage.processes.kill(runtime.processId);
      const next = await stage.open({workspace});
      expect(states(next)).toEqual(['active']);
      const request_id = String(asked.error?.details?.['request_id']);
      unwrap(await next.resolveApproval({request_id, approved: false, approved_by: 'ann'}));
      expect(states(await stage.open({workspace}))).toEqual(['ready']);
    });

    test('stays for a session that continues after an approval, for as long as the approval is usable', async () => {
      const workspace = {lanes, policies: {default_decision: 'allow' as const, rules}};
      const {runtime, context} = await openWithClaim(workspace);
      const asked = await runtime.executeTool('files:read', {}, context);
      stage.processes.kill(runtime.processId);
      const next = await stage.open({workspace});
      const request_id = String(asked.error?.details?.['request_id']);
      unwrap(await next.resolveApproval({request_id, approved: true, approved_by: 'ann'}));
      expect((await next.executeTool('files:read', {}, context)).success).toBe(true);
      expect(states(await stage.open({workspace}))).toEqual(['active']);
      stage.clock.move(8 * 24 * 60 * 60 * 1_000);
      expect(states(await stage.open({workspace}))).toEqual(['ready']);
    });
  });
});
