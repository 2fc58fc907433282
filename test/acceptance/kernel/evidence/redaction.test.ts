// Contents can be destroyed permanently. The records, and the redaction's author and reason, remain and verify.
import type {ExecutionContext} from '@lumenflow/kernel';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const why = {by: 'ann', reason: 'a customer asked for it'};
const scripts = {'files:read': () => ({output: {success: true as const, data: {found: 'secret output'}}})};

describe.each(stateKinds)('redaction, state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  async function call(runtime: StagedRuntime, context: ExecutionContext, path: string): Promise<string> {
    const {metadata} = await runtime.executeTool('files:read', {path}, context);
    return metadata?.receipt_id ?? expect.fail('the call has no receipt');
  }

  const inputOf = async (runtime: StagedRuntime, id: string): Promise<string | undefined> => {
    const receipt = await runtime.evidence.receipt(id);
    return runtime.evidence.readBlob(receipt?.started.input_ref ?? '');
  };

  test('of a receipt removes its input and output, and records the author and the reason', async () => {
    const runtime = await stage.open({scripts});
    const context = await runtime.startTask();
    const [one, two] = [await call(runtime, context, 'secret'), await call(runtime, context, 'plain')];
    const before = await runtime.evidence.receipt(one);
    const {hashes, refs} = unwrap(await runtime.evidence.redact({receipt_id: one}, why));
    expect(hashes).toEqual([before?.started.input_hash, before?.finished?.output_hash]);
    expect(refs).toHaveLength(2);
    expect(await inputOf(runtime, one)).toBeUndefined();
    expect(await inputOf(runtime, two)).toContain('plain');
    expect(await runtime.evidence.receipt(one)).toEqual(before);
    expect(await runtime.events.read({types: ['evidence_redacted']})).toMatchObject([
      {actor: 'ann', reason: why.reason, receipt_id: one, hashes},
    ]);
    const again = unwrap(await runtime.evidence.redact({receipt_id: one}, why));
    expect(again).toEqual({hashes, refs: []});
  });

  test('of a ref takes the content from all calls that had it, and from no later one', async () => {
    const [runtime, other] = [await stage.open({scripts}), await stage.open({scripts})];
    const context = await runtime.startTask();
    const [one, two] = [await call(runtime, context, 'secret'), await call(runtime, context, 'secret')];
    const ref = (await runtime.evidence.receipt(one))?.started.input_ref ?? '';
    unwrap(await other.evidence.redact({ref}, why));
    for (const id of [one, two]) expect(await inputOf(runtime, id)).toBeUndefined();
    expect(await inputOf(runtime, await call(runtime, context, 'secret'))).toContain('secret');
    for (const id of [one, two]) expect(await inputOf(runtime, id)).toBeUndefined();
  });

  test.each<[string, Parameters<StagedRuntime['evidence']['redact']>]>([
    ['a receipt that is not there', [{receipt_id: 'nobody'}, why]],
    ['a ref that leads nowhere', [{ref: 'inputs/nothing'}, why]],
    ['nobody', [{receipt_id: 'r'}, {by: '', reason: 'x'}]],
    ['no reason', [{receipt_id: 'r'}, {by: 'ann', reason: ' '}]],
    ['a reason that is no text', [{receipt_id: 'r'}, {by: 'ann', reason: 1 as unknown as string}]],
  ])('of %s is refused and leaves no trace', async (_, words) => {
    const runtime = await stage.open({scripts});
    expect(await runtime.evidence.redact(...words)).toMatchObject({success: false, error: {code: 'INVALID_INPUT'}});
    expect(await runtime.events.read({types: ['evidence_redacted']})).toEqual([]);
  });
});
