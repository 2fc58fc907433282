import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {KernelEvent} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {claimEvent, finishRecord, progressRecord, startRecord} from './example-records.fixture.ts';
import {openFileState, type FileState, type FileStateOptions} from './open-file-state.ts';

let root: string;
let opened: FileState[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-state-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((state) => state.close()));
  rmSync(root, {recursive: true});
});

async function open(options: Partial<FileStateOptions> = {}): Promise<FileState> {
  const state = await openFileState({
    stateFolder: join(root, 'kernel'),
    keyFolder: join(root, 'keys'),
    processes: createProcessRegistry(),
    onWarning: (message) => expect.fail(message),
    ...options,
  });
  opened.push(state);
  return state;
}

async function record(state: FileState, receiptId: string, fsync = false): Promise<void> {
  const input = await state.evidence.putBlob(JSON.stringify({receiptId}));
  await state.evidence.append([startRecord(receiptId, {input_hash: input.hash, input_ref: input.ref})], {fsync});
  await state.evidence.append([progressRecord(receiptId, 1, {done: 0.5}), finishRecord(receiptId)], {fsync: false});
}

describe('one runtime', () => {
  test('gives back what was recorded, also after a restart', async () => {
    const first = await open();
    await record(first, 'r1', true);
    await first.evidence.append([startRecord('r2', {tool_name: 'files:write', task_id: 'task-2'})], {fsync: false});
    const check = async (state: FileState): Promise<void> => {
      const receipt = await state.evidence.receipt('r1');
      expect(receipt?.started).toMatchObject({seq: 1, prev: '0'.repeat(64), receipt_id: 'r1'});
      expect(receipt?.progress).toMatchObject([{seq: 2, payload: {done: 0.5}}]);
      expect(receipt?.finished).toMatchObject({seq: 3, result: 'success'});
      expect(await state.evidence.getBlob(receipt?.started.input_ref ?? '')).toBe('{"receiptId":"r1"}');
      expect((await state.evidence.openCalls()).map((call) => call.receipt_id)).toEqual(['r2']);
      expect(await state.evidence.receipt('r3')).toBeUndefined();
    };
    await check(first);
    await first.close();
    await check(await open());
  });

  test('512 callers at once lose nothing', async () => {
    const state = await open({checkpointEvery: 200});
    await Promise.all(Array.from({length: 512}, (_, call) => record(state, `r${call}`, call % 3 === 0)));
    expect((await state.evidence.read({limit: 1_000})).receipts).toHaveLength(512);
    await state.evidence.checkpoint();
    expect(await state.evidence.verify()).toMatchObject({
      status: 'verified',
      records: 1_536,
      signed_records: 1_536,
      blobs: 512,
    });
  });

  test('refuses after close, and close may be called again', async () => {
    const state = await open();
    await state.close();
    await state.close();
    const closed = {code: 'RUNTIME_CLOSED'};
    await expect(state.evidence.append([startRecord('r1')], {fsync: false})).rejects.toMatchObject(closed);
    await expect(state.evidence.putBlob('x')).rejects.toMatchObject(closed);
    await expect(state.evidence.checkpoint()).rejects.toMatchObject(closed);
    await expect(state.events.transact(() => ({events: [], result: 1}))).rejects.toMatchObject(closed);
  });

  test('a record that is no JSON is refused and the log goes on', async () => {
    const state = await open();
    const bad = progressRecord('r1', 1, {big: 1n});
    await expect(state.evidence.append([bad], {fsync: false})).rejects.toMatchObject({code: 'BROKEN_INVARIANT'});
    await record(state, 'r1');
    expect((await state.evidence.receipt('r1'))?.started.seq).toBe(1);
  });
});

describe('several runtimes on one workspace', () => {
  test('share one order of records and one chain', async () => {
    const states = await Promise.all([open(), open(), open()]);
    await Promise.all(
      states.flatMap((state, runtime) => Array.from({length: 40}, (_, call) => record(state, `r${runtime}-${call}`))),
    );
    const pages = await Promise.all(states.map((state) => state.evidence.read({limit: 1_000})));
    for (const page of pages) expect(page.receipts).toEqual(pages[0]?.receipts);
    expect(pages[0]?.receipts).toHaveLength(120);
    await states[1]?.evidence.checkpoint();
    expect(await states[0]?.evidence.verify()).toMatchObject({status: 'verified', records: 360});
  });

  test('of many claims at once one wins, and all see the same events', async () => {
    const states = await Promise.all([open(), open()]);
    const seen = states.map((state) => {
      const events: KernelEvent[] = [];
      state.events.onEvent((event) => events.push(event));
      return events;
    });
    const claims = states.flatMap((state, runtime) =>
      Array.from({length: 25}, (_, attempt) =>
        state.events.transact(() => {
          const isFree = seen[runtime]?.length === 0;
          return {events: isFree ? [claimEvent('task-1', `s${runtime}-${attempt}`)] : [], result: isFree};
        }),
      ),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    for (const state of states) state.events.refresh();
    expect(seen[0]).toHaveLength(1);
    expect(seen[1]).toEqual(seen[0]);
  });

  test('each sees what the other appended without a lock', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const seen: number[] = [];
    two.events.onEvent((event) => seen.push(event.seq));
    await one.events.transact(() => ({events: [claimEvent('t1', 's'), claimEvent('t2', 's')], result: 0}));
    two.events.refresh();
    expect(seen).toEqual([1, 2]);
    await record(one, 'r1');
    expect((await two.evidence.receipt('r1'))?.finished).toBeDefined();
  });
});
