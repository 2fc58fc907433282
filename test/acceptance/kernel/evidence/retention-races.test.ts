// A rule deletes contents while calls with the same contents are recorded: each test pauses one side at the moment that matters.
import type {ExecutionContext} from '@lumenflow/kernel';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {passThroughContents, passThroughEvents, passThroughEvidence} from '../../../support/pass-through-state.ts';
import {createStage, filesPack, type RuntimeWords, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const order = {rule: 'contents: 400d', by: 'ann'};
const large = 'x'.repeat(200_000);
const files = stateKinds.find(({name}) => name.includes('file')) ?? expect.fail('there is no state on files');

let stage: Stage;
let deleter: StagedRuntime;
/** Runs once, at the moment of the test. */
let atMoment: (() => Promise<void>) | undefined;
beforeEach(async () => {
  stage = createStage(files);
  deleter = await stage.open();
  atMoment = undefined;
});
afterEach(() => stage.close());

async function pause(): Promise<void> {
  const work = atMoment;
  atMoment = undefined;
  await work?.();
}

const scripts: NonNullable<RuntimeWords['scripts']> = {
  'files:read': ({input}) => ({output: {success: true, data: {of: input, large}}}),
};

/** Stops before it appends a record of a type. */
function openRecorder(type: NewEvidenceRecord['type']): Promise<StagedRuntime> {
  return stage.open({
    scripts,
    evidence: (store) =>
      passThroughEvidence(store, {
        async append(records, options) {
          if (records.some((record) => record.type === type)) await pause();
          await store.append(records, options);
        },
      }),
  });
}

interface Call {
  readonly runtime: StagedRuntime;
  readonly context: ExecutionContext;
  readonly input: unknown;
}

async function call({runtime, context, input}: Call): Promise<string> {
  const {metadata} = await runtime.executeTool('files:read', input, context);
  return metadata?.receipt_id ?? expect.fail('the call has no receipt');
}

/** A moment after everything that was recorded, and before everything that follows. */
function now(): string {
  const moment = new Date(stage.clock.now() + 1_000).toISOString();
  stage.clock.move(2_000);
  return moment;
}

async function expectKept(id: string): Promise<void> {
  const receipt = await deleter.evidence.receipt(id);
  const refs = [receipt?.started.input_ref, receipt?.finished?.output_ref].flatMap((ref) => ref ?? []);
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) expect(await deleter.evidence.readBlob(ref)).toBeDefined();
  await deleter.evidence.checkpoint();
  expect((await deleter.evidence.verify()).findings).toEqual([]);
}

test.each<[string, NewEvidenceRecord['type'], unknown]>([
  ['its input was stored', 'tool_call_started', {path: 'old'}],
  ['its large input was stored', 'tool_call_started', {path: 'old', large}],
  ['its output was stored', 'tool_call_finished', {path: 'old'}],
  ['the input of a refused call was stored', 'tool_call_started', {path: '../outside'}],
])('a deletion after %s and before the record leaves the call complete', async (_, type, input) => {
  const recorder = await openRecorder(type);
  const one = {runtime: recorder, context: await recorder.startTask(), input};
  const old = await call(one);
  await call({...one, input: {path: 'last'}});
  const before = now();
  let deleted = 0;
  atMoment = async () => {
    deleted = (await deleter.evidence.expire({...order, before})).contents;
  };
  const id = await call(one);
  expect(deleted).toBeGreaterThan(0);
  await expectKept(id);
  const oldInput = (await deleter.evidence.receipt(old))?.started.input_ref ?? '';
  if (type === 'tool_call_started') expect(await deleter.evidence.readBlob(oldInput)).toBeUndefined();
  await expectKept(await call(one));
});

test('a call that is recorded after the deletion looked for it keeps its contents', async () => {
  const recorder = await stage.open({scripts});
  const one = {runtime: recorder, context: await recorder.startTask(), input: {path: 'old'}};
  await call(one);
  const before = now();
  let id = '';
  const late = await stage.open({
    contents: (store) =>
      passThroughContents(store, {
        async shredUnneeded(hashes, dropNeeded) {
          id = await call(one);
          return (await store.shredUnneeded?.(hashes, dropNeeded)) ?? expect.fail('it cannot shred many');
        },
      }),
  });
  expect(await late.evidence.expire({...order, before})).toMatchObject({contents: 0});
  await expectKept(id);
});

test('a call of the same process that is recorded within a step of the deletion keeps its contents', async () => {
  let one: Call | undefined;
  let id = '';
  const runtime = await stage.open({
    scripts,
    contents: (store) =>
      passThroughContents(store, {
        shredUnneeded: async (hashes, dropNeeded) =>
          (await store.shredUnneeded?.(hashes, async () => {
            await dropNeeded();
            if (id === '' && one !== undefined) id = await call(one);
          })) ?? expect.fail('it cannot shred many'),
      }),
  });
  one = {runtime, context: await runtime.startTask(), input: {path: 'old'}};
  await call(one);
  await runtime.evidence.expire({...order, before: now()});
  await expectKept(id);
});

test('a content that its process can no longer store again is not recorded', async () => {
  const recorder = await stage.open({
    packs: [filesPack],
    scripts,
    contents: (store) => passThroughContents(store, {put: (text) => remembered(store.put(text), text)}),
  });
  const refs = new Map<string, Promise<{readonly hash: string; readonly ref: string}>>();
  function remembered(stored: Promise<{readonly hash: string; readonly ref: string}>, text: string) {
    const first = refs.get(text) ?? stored;
    refs.set(text, first);
    return first;
  }
  const context = await recorder.startTask();
  await recorder.executeTool('files:read', {path: 'old'}, context);
  await deleter.evidence.expire({...order, before: now()});
  expect(await recorder.executeTool('files:read', {path: 'old'}, context)).toMatchObject({
    error: {
      code: 'EVIDENCE_UNAVAILABLE',
      message: expect.stringContaining('retention.contents'),
      details: {ran: false, retryable: true},
    },
  });
});

test('a deletion after the input of a request was stored and before the request leaves the request complete', async () => {
  const when = {tool: 'files:write'};
  const rules = [{id: 'ask', trigger: 'on_tool_request' as const, decision: 'approval_required' as const, when}];
  const recorder = await stage.open({
    scripts,
    workspace: {policies: {default_decision: 'allow', rules}},
    events: (log) =>
      passThroughEvents(log, {
        async transact(decide) {
          await pause();
          return await log.transact(decide);
        },
      }),
  });
  const one = {runtime: recorder, context: await recorder.startTask(), input: {path: 'old'}};
  await call(one);
  await call({...one, input: {path: 'last'}});
  const before = now();
  let deleted = 0;
  atMoment = async () => {
    deleted = (await deleter.evidence.expire({...order, before})).contents;
  };
  const {error} = await recorder.executeTool('files:write', one.input, one.context);
  expect(error).toMatchObject({code: 'APPROVAL_REQUIRED'});
  expect(deleted).toBeGreaterThan(0);
  const [request, ...others] = recorder.listApprovals({state: 'pending'});
  expect(others).toEqual([]);
  expect(request).toMatchObject({request_id: error?.details?.['request_id']});
  expect(await deleter.evidence.readBlob(request?.input_ref ?? '')).toContain('old');
});
