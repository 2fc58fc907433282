// If the log cannot be written before the handler, nothing runs. If the outcome cannot be recorded, the error contains it.
import {KernelError} from '@lumenflow/kernel';
import type {EventLog, EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, unwrap, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {passThroughContents, passThroughEvidence} from '../../../support/pass-through-state.ts';

const full = (): KernelError => new KernelError('LOG_UNAVAILABLE', 'the disk is full');

/** Refuses the records of a type while the switch is on. */
function refusing(log: EvidenceStore, type: NewEvidenceRecord['type'], isOn: () => boolean): EvidenceStore {
  return passThroughEvidence(log, {
    append: async (records, options) => {
      if (isOn() && records.some((record) => record.type === type)) throw full();
      await log.append(records, options);
    },
  });
}

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('a call whose intent cannot be recorded is not dispatched, and the next call continues', async () => {
    let on = false;
    const runtime = await stage.open({evidence: (log) => refusing(log, 'tool_call_started', () => on)});
    const context = await runtime.startTask();
    on = true;
    for (const name of ['files:write', 'no:tool']) {
      expect(await runtime.executeTool(name, {}, context)).toEqual({
        success: false,
        error: {
          code: 'EVIDENCE_UNAVAILABLE',
          message: 'the call did not run, because it could not be recorded: the disk is full',
          details: {cause: 'LOG_UNAVAILABLE', ran: false, retryable: true},
        },
      });
    }
    expect(runtime.dispatcher.requests).toEqual([]);
    on = false;
    expect((await runtime.executeTool('files:write', {}, context)).success).toBe(true);
    expect((await runtime.evidence.readTraces()).receipts).toHaveLength(1);
  });

  test('an input that cannot be kept is not dispatched', async () => {
    const put = async (): Promise<never> => {
      throw full();
    };
    const runtime = await stage.open({contents: (store) => passThroughContents(store, {put})});
    const output = await runtime.executeTool('files:read', {}, await runtime.startTask());
    expect(output.error).toMatchObject({code: 'EVIDENCE_UNAVAILABLE', details: {ran: false}});
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('if an outcome cannot be recorded, the error contains it, and the call stays open', async () => {
    const runtime = await stage.open({evidence: (log) => refusing(log, 'tool_call_finished', () => true)});
    const output = await runtime.executeTool('files:write', {path: 'a'}, await runtime.startTask());
    expect(output).toMatchObject({
      success: false,
      error: {
        code: 'EVIDENCE_UNAVAILABLE',
        message: expect.stringContaining('the tool ran'),
        details: {cause: 'LOG_UNAVAILABLE', ran: true, outcome: {success: true, data: {path: 'a'}}},
      },
    });
    const open = await runtime.log.openCalls();
    expect(open.map(({receipt_id}) => receipt_id)).toEqual([output.metadata?.receipt_id]);
  });

  test('a transition that cannot be recorded changes nothing', async () => {
    let on = false;
    const through = (log: EventLog): EventLog => ({
      refresh: () => log.refresh(),
      transact: async (decide) => {
        if (on) throw full();
        return await log.transact(decide);
      },
      onEvent: (listener, afterSeq) => log.onEvent(listener, afterSeq),
      read: (filter) => log.read(filter),
    });
    const runtime = await stage.open({events: through});
    await runtime.startTask();
    on = true;
    const holder = {task_id: 'task-1', session_id: 'session-1', by: 'agent'};
    const unavailable = {success: false, error: {code: 'EVIDENCE_UNAVAILABLE', details: {cause: 'LOG_UNAVAILABLE'}}};
    expect(await runtime.createTask({id: 'task-2', lane_id: 'core'})).toMatchObject(unavailable);
    expect(await runtime.blockTask({...holder, reason: 'waits'})).toMatchObject(unavailable);
    expect(await runtime.completeTask(holder)).toMatchObject(unavailable);
    on = false;
    expect(runtime.listTasks().map(({task_id, state}) => [task_id, state])).toEqual([['task-1', 'active']]);
    unwrap(await runtime.createTask({id: 'task-2', lane_id: 'core'}));
  });

  test.each([
    ['auto', [false, false, true, false]],
    ['always', [true, true, true, true]],
    ['process', [false, false, false, false]],
  ] as const)('durability %s: what is on disk before the handler runs', async (durability, expected) => {
    const synced: boolean[] = [];
    const runtime = await stage.open({
      durability,
      evidence: (log) =>
        passThroughEvidence(log, {
          append: async (records, options) => {
            synced.push(options.fsync);
            await log.append(records, options);
          },
        }),
    });
    const context = await runtime.startTask();
    await runtime.executeTool('files:read', {}, context);
    await runtime.executeTool('files:write', {}, context);
    expect(synced).toEqual(expected);
  });
});
