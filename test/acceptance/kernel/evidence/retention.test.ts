// Contents are deleted by a rule of the workspace, unless something newer needs them or a legal hold keeps them.
import type {ExecutionContext} from '@lumenflow/kernel';
import {EventEmitter, once} from 'node:events';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {interruptedEvents} from '../../../support/interrupted-events.ts';
import type {Script} from '../../../support/scripted-dispatcher.ts';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const rule = 'contents: 400d';
const by = 'ann';
const scripts = {
  'files:read': ({input}: {readonly input: unknown}) => ({output: {success: true as const, data: {of: input}}}),
};

describe.each(stateKinds)('retention, state $name', (kind) => {
  let stage: Stage;
  let runtime: StagedRuntime;
  let context: ExecutionContext;
  beforeEach(async () => {
    stage = createStage(kind);
    runtime = await stage.open({scripts});
    context = await runtime.startTask();
  });
  afterEach(() => stage.close());

  async function call(path: string): Promise<string> {
    const {metadata} = await runtime.executeTool('files:read', {path}, context);
    return metadata?.receipt_id ?? expect.fail('the call has no receipt');
  }

  /** A moment after everything that was recorded, and before everything that follows. */
  async function now(): Promise<string> {
    const moment = new Date(stage.clock.now() + 1_000).toISOString();
    stage.clock.move(2_000);
    return moment;
  }

  async function contentsOf(id: string): Promise<readonly (string | undefined)[]> {
    const receipt = await runtime.evidence.receipt(id);
    const refs = [receipt?.started.input_ref, receipt?.finished?.output_ref];
    return await Promise.all(refs.map((ref) => runtime.evidence.readBlob(ref ?? '')));
  }

  const gone = [undefined, undefined];

  test('deletes what is older, keeps the records, and verifies', async () => {
    const [old, shared] = [await call('old'), await call('shared')];
    const before = await now();
    const [fresh, again] = [await call('fresh'), await call('shared')];
    const receipt = await runtime.evidence.receipt(old);
    const dry = await runtime.evidence.expire({rule, before, by, dryRun: true});
    expect(await contentsOf(old)).not.toContain(undefined);
    const done = await runtime.evidence.expire({rule, before, by});
    expect(done).toEqual(dry);
    expect(done.contents).toBeGreaterThan(0);
    expect((await contentsOf(old))[0]).toBeUndefined();
    for (const id of [shared, fresh, again]) expect(await contentsOf(id)).not.toContain(undefined);
    expect(await runtime.evidence.receipt(old)).toEqual(receipt);
    await runtime.evidence.checkpoint();
    expect(await runtime.evidence.verify()).toMatchObject({findings: [], redacted: 0, expired: done.contents});
    expect(await runtime.events.read({types: ['evidence_expired']})).toMatchObject([
      {actor: by, rule, before},
      {actor: by, rule, before, contents: done.contents},
    ]);
    // What was deleted and is put again has another ref.
    expect(await contentsOf(await call('old'))).not.toContain(undefined);
    expect((await contentsOf(old))[0]).toBeUndefined();
  });

  test('keeps what a legal hold covers, refuses its redaction, and deletes it afterwards', async () => {
    const [held, other] = [await call('held'), await call('other')];
    await call('last');
    const before = await now();
    const hold = unwrap(await runtime.evidence.hold({covers: {session_id: context.session_id}, by, reason: 'a claim'}));
    expect(runtime.evidence.holds()).toEqual([hold]);
    expect(await runtime.evidence.expire({rule, before, by})).toMatchObject({contents: 0});
    expect(await runtime.evidence.redact({receipt_id: held}, {by, reason: 'x'})).toMatchObject({
      success: false,
      error: {code: 'EVIDENCE_HELD', message: expect.stringContaining('a claim'), details: {hold_id: hold.hold_id}},
    });
    for (const id of [held, other]) expect(await contentsOf(id)).not.toContain(undefined);

    unwrap(await runtime.evidence.liftHold({hold_id: hold.hold_id, by, reason: 'settled'}));
    expect(runtime.evidence.holds()).toEqual([]);
    expect((await runtime.evidence.expire({rule, before, by})).contents).toBeGreaterThanOrEqual(4);
    for (const id of [held, other]) expect(await contentsOf(id)).toEqual(gone);
    await runtime.evidence.checkpoint();
    expect((await runtime.evidence.verify()).findings).toEqual([]);
  });

  test('a legal hold of one task keeps contents that other calls share', async () => {
    const first = await call('shared');
    const {task_id} = context;
    context = await runtime.startTask('task-2');
    const second = await call('shared');
    await call('last');
    const before = await now();
    unwrap(await runtime.evidence.hold({covers: {task_id}, by, reason: 'a claim'}));
    await runtime.evidence.expire({rule, before, by});
    for (const id of [first, second]) expect(await contentsOf(id)).not.toContain(undefined);
    expect(await runtime.evidence.redact({receipt_id: second}, {by, reason: 'x'})).toMatchObject({success: false});
  });

  test.each([
    ['this process', 'before the deletion is recorded', 'meanwhile'],
    ['another process', 'before the deletion is recorded', 'meanwhile'],
    ['this process', 'before anything is deleted', 'afterwards'],
    ['another process', 'before anything is deleted', 'afterwards'],
  ] as const)('a legal hold that %s adds during an expiry, %s, keeps contents', async (who, _, when) => {
    const interrupted = interruptedEvents();
    const expiring = await stage.open({scripts, events: interrupted.events});
    const held = await call('held');
    const {task_id} = context;
    context = await runtime.startTask('task-2');
    const other = await call('other');
    await call('last');
    const before = await now();
    const holder = who === 'this process' ? expiring : runtime;
    interrupted[when](async () => void unwrap(await holder.evidence.hold({covers: {task_id}, by, reason: 'a claim'})));
    const done = await expiring.evidence.expire({rule, before, by});
    expect(expiring.evidence.holds()).toHaveLength(1);
    expect(done.held).toBeGreaterThan(0);
    expect(await contentsOf(held)).not.toContain(undefined);
    expect((await contentsOf(other))[0]).toBeUndefined();
    const recorded = await runtime.events.read({types: ['evidence_held', 'evidence_expired']});
    const order = recorded.map(({type}) => type);
    expect(order.indexOf('evidence_held')).toBe(when === 'meanwhile' ? 0 : 1);
    expect(recorded.at(-1)).toMatchObject({type: 'evidence_expired', ...done});
    // What is recorded before the deletion includes a legal hold that came first.
    expect(recorded[1]).toMatchObject(when === 'meanwhile' ? done : {type: 'evidence_held'});
    await runtime.evidence.checkpoint();
    expect(await runtime.evidence.verify()).toMatchObject({findings: [], expired: done.contents});

    // After it, the contents are due again.
    const hold_id = expiring.evidence.holds()[0]?.hold_id ?? '';
    unwrap(await runtime.evidence.liftHold({hold_id, by, reason: 'settled'}));
    await runtime.evidence.expire({rule, before, by});
    expect((await contentsOf(held))[0]).toBeUndefined();
  });

  test.each(['meanwhile', 'afterwards'] as const)('keeps what a new call names during an expiry, %s', async (when) => {
    const interrupted = interruptedEvents();
    const expiring = await stage.open({scripts, events: interrupted.events});
    const [shared, other] = [await call('shared'), await call('other')];
    await call('last');
    const before = await now();
    await call('newer');
    let again = '';
    interrupted[when](async () => void (again = await call('shared')));
    expect((await expiring.evidence.expire({rule, before, by})).contents).toBeGreaterThan(0);
    for (const id of [shared, again]) expect(await contentsOf(id)).not.toContain(undefined);
    expect((await contentsOf(other))[0]).toBeUndefined();
    await runtime.evidence.checkpoint();
    expect((await runtime.evidence.verify()).findings).toEqual([]);
  });

  test('keeps the input of an older call that returned it later', async () => {
    const signals = new EventEmitter();
    const [began, ends] = [once(signals, 'began'), once(signals, 'ends')];
    const returnInput: Script = async ({input}) => {
      signals.emit('began');
      await ends;
      return {output: {success: true, data: input}};
    };
    const old = await call('old');
    const echoing = await stage.open({scripts: {'files:read': returnInput}});
    const calling = echoing.executeTool('files:read', {path: 'echo'}, await echoing.startTask('task-2'));
    await began;
    const before = await now();
    await call('between');
    signals.emit('ends');
    const echo = (await calling).metadata?.receipt_id ?? '';
    expect((await runtime.evidence.expire({rule, before, by})).contents).toBeGreaterThan(0);
    expect((await contentsOf(old))[0]).toBeUndefined();
    expect(await contentsOf(echo)).toEqual(['{"path":"echo"}', '{"path":"echo"}']);
    await runtime.evidence.checkpoint();
    expect((await runtime.evidence.verify()).findings).toEqual([]);
  });

  test('without anything older, nothing is recorded', async () => {
    await call('fresh');
    const done = await runtime.evidence.expire({rule, before: '2000-01-01T00:00:00.000Z', by});
    expect(done).toEqual({contents: 0, held: 0, through_seq: 0});
    expect(await runtime.events.read({types: ['evidence_expired']})).toEqual([]);
  });

  test('a missing content that no rule explains is still a finding', async () => {
    const [old] = [await call('old'), await call('last')];
    const before = await now();
    await runtime.evidence.expire({rule, before, by});
    const fresh = await call('fresh');
    unwrap(await runtime.evidence.redact({receipt_id: fresh}, {by, reason: 'x'}));
    expect((await contentsOf(old))[0]).toBeUndefined();
    expect((await runtime.evidence.verify()).findings.join('\n')).toContain('was redacted');
  });

  test.each<[string, Parameters<StagedRuntime['evidence']['hold']>[0], string]>([
    ['that covers nothing', {covers: {}, by, reason: 'x'}, 'INVALID_INPUT'],
    ['without a reason', {covers: {task_id: 't'}, by, reason: ' '}, 'INVALID_INPUT'],
    ['of nobody', {covers: {task_id: 't'}, by: '', reason: 'x'}, 'INVALID_INPUT'],
    ['of a time that is not valid', {covers: {since: 'yesterday'}, by, reason: 'x'}, 'INVALID_INPUT'],
    ['of an unknown lane', {covers: {lane_id: 'nowhere'}, by, reason: 'x'}, 'LANE_NOT_FOUND'],
  ])('a legal hold %s is refused', async (_, command, code) => {
    expect(await runtime.evidence.hold(command)).toMatchObject({success: false, error: {code}});
    expect(runtime.evidence.holds()).toEqual([]);
  });

  test('a legal hold that is not there cannot be lifted', async () => {
    expect(await runtime.evidence.liftHold({hold_id: 'hold-1', by, reason: 'x'})).toMatchObject({
      success: false,
      error: {code: 'HOLD_NOT_FOUND'},
    });
  });
});
