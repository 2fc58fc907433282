// Rules that count a task's calls also apply to simultaneous calls: the order of their intents decides.
import type {FactoryRule} from '@lumenflow/schemas';
import type {EvidenceStore} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, filesPack, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {passThroughEvidence} from '../../../support/pass-through-state.ts';

const limit: FactoryRule = {
  id: 'counted.limit',
  trigger: 'on_tool_request',
  decision: 'deny',
  reason: 'two calls are enough',
  evidence_data: [],
  when: ({evidence = []}) => evidence.filter(({result}) => result !== 'denied').length >= 2,
};
const counted = examplePack({id: 'counted', tools: [{name: 'counted:call'}], rules: [limit]});

/** Delays all intents until so many have arrived: by then each call was decided without the records of the others. */
function meeting(count: number): (log: EvidenceStore) => EvidenceStore {
  let come = 0;
  let open = (): void => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return (log) =>
    passThroughEvidence(log, {
      append: async (records, options) => {
        if (records.length === 1 && records[0]?.type === 'tool_call_started') {
          come += 1;
          if (come === count) open();
          await all;
        }
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

  test('of calls that were decided at once, in two processes, no more than the limit run, and the others are denied', async () => {
    const evidence = meeting(5);
    const runtime = await stage.open({packs: [counted], evidence});
    const other = await stage.open({packs: [counted], evidence});
    const context = await runtime.startTask();
    const outputs = await Promise.all(
      [runtime, other, runtime, other, runtime].map(
        async ({executeTool}) => await executeTool('counted:call', {}, context),
      ),
    );
    expect(outputs.filter(({success}) => success)).toHaveLength(2);
    expect([...runtime.dispatcher.requests, ...other.dispatcher.requests]).toHaveLength(2);
    const {receipts} = await runtime.evidence.readTraces();
    expect(receipts).toHaveLength(5);
    for (const {error, metadata} of outputs.filter(({success}) => !success)) {
      expect(error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'counted.limit'}});
      const receipt = receipts.find(({receipt_id}) => receipt_id === metadata?.receipt_id);
      expect(receipt?.finished).toMatchObject({
        result: 'denied',
        error_code: 'POLICY_DENIED',
        policy_decisions: expect.arrayContaining([expect.objectContaining({rule_id: 'counted.limit'})]) as unknown,
      });
    }
    expect((await runtime.executeTool('counted:call', {}, context)).error?.code).toBe('POLICY_DENIED');
  });

  test('a call that would have needed an approval by then does not run without one, and asks when it is made again', async () => {
    const rule: FactoryRule = {
      ...limit,
      decision: 'approval_required',
      when: ({evidence = []}) => evidence.length >= 1,
    };
    const asked = examplePack({id: 'counted', tools: [{name: 'counted:call'}], rules: [rule]});
    const runtime = await stage.open({packs: [asked], evidence: meeting(2)});
    const context = await runtime.startTask();
    const call = () => runtime.executeTool('counted:call', {}, context);
    const outputs = await Promise.all([call(), call()]);
    expect(outputs.filter(({success}) => success)).toHaveLength(1);
    expect(runtime.dispatcher.requests).toHaveLength(1);
    expect(outputs.find(({success}) => !success)?.error).toMatchObject({
      code: 'POLICY_DENIED',
      message: expect.stringContaining('call it again to ask for one') as unknown,
      details: {rule_id: 'counted.limit'},
    });
    expect((await call()).error?.code).toBe('APPROVAL_REQUIRED');
  });

  test('intervening records that change nothing do not delay a call', async () => {
    const runtime = await stage.open({packs: [counted], evidence: meeting(2)});
    const context = await runtime.startTask();
    const call = async () => (await runtime.executeTool('counted:call', {}, context)).success;
    expect(await Promise.all([call(), call()])).toEqual([true, true]);
  });

  test('where no rule looks at the calls, nothing is counted', async () => {
    const reads: unknown[] = [];
    const evidence = (log: EvidenceStore): EvidenceStore =>
      passThroughEvidence(log, {
        read: async (filter) => {
          reads.push(filter);
          return await log.read(filter);
        },
      });
    const runtime = await stage.open({packs: [filesPack], evidence});
    const context = await runtime.startTask();
    reads.length = 0;
    await runtime.executeTool('files:read', {}, context);
    expect(reads).toEqual([]);
  });
});
