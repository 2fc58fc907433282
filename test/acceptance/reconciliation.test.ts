// What a crash leaves open is closed as crashed by the next start; calls of processes that live are left alone.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, type Stage} from '../support/stage.ts';
import {stateKinds} from '../support/state-home.ts';

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
    await stage.strike();
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

  test('a task held by a dead process stays held: its session may come back', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    stage.processes.kill(runtime.processId);
    const next = await stage.open();
    expect((await next.executeTool('files:read', {}, context)).success).toBe(true);
  });
});
