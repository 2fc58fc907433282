import {generateKeyPairSync} from 'node:crypto';
import {appendFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {KernelEvent} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, progressRecord, startedRecord} from '../conformance/example-records.ts';
import {claimEvent} from './claim-event.fixture.ts';
import {openSignedState, type SignedState, type SignedStateOptions} from './signed-state.fixture.ts';

let root: string;
let opened: SignedState[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-state-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((state) => state.close()));
  rmSync(root, {recursive: true});
});

async function open(options: Partial<SignedStateOptions> = {}): Promise<SignedState> {
  const state = await openSignedState({
    stateFolder: join(root, 'kernel'),
    keyFolder: join(root, 'keys'),
    processes: createProcessRegistry(),
    onWarning: (message) => expect.fail(message),
    ...options,
  });
  opened.push(state);
  return state;
}

async function record(state: SignedState, receiptId: string, fsync = false): Promise<void> {
  const input = await state.contents.put(JSON.stringify({receiptId}));
  await state.evidence.append([startedRecord(receiptId, {input_hash: input.hash, input_ref: input.ref})], {fsync});
  await state.evidence.append([progressRecord(receiptId, 1, {done: 0.5}), finishedRecord(receiptId)], {fsync: false});
}

describe('one runtime', () => {
  test('returns what was recorded, also after a restart', async () => {
    const first = await open();
    await record(first, 'r1', true);
    await first.evidence.append([startedRecord('r2', {tool_name: 'files:write', task_id: 'task-2'})], {fsync: false});
    const check = async (state: SignedState): Promise<void> => {
      const receipt = await state.evidence.receipt('r1');
      expect(receipt?.started).toMatchObject({seq: 1, prev: '0'.repeat(64), receipt_id: 'r1'});
      expect(receipt?.progress).toMatchObject([{seq: 2, payload: {done: 0.5}}]);
      expect(receipt?.finished).toMatchObject({seq: 3, result: 'success'});
      expect(await state.contents.get(receipt?.started.input_ref ?? '')).toBe('{"receiptId":"r1"}');
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
    await state.signed.checkpoint();
    expect(await state.signed.verify()).toMatchObject({
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
    await expect(state.evidence.append([startedRecord('r1')], {fsync: false})).rejects.toMatchObject(closed);
    await expect(state.contents.put('x')).rejects.toMatchObject(closed);
    await expect(state.signed.checkpoint()).rejects.toMatchObject(closed);
    await expect(state.events.transact(() => ({events: [], result: 1}))).rejects.toMatchObject(closed);
  });

  test('a record that is not JSON is rejected and the log continues', async () => {
    const state = await open();
    const bad = progressRecord('r1', 1, {big: 1n});
    await expect(state.evidence.append([bad], {fsync: false})).rejects.toMatchObject({code: 'BROKEN_INVARIANT'});
    await record(state, 'r1');
    expect((await state.evidence.receipt('r1'))?.started.seq).toBe(1);
  });
});

describe('opening', () => {
  test('refuses logs that were cut below what was signed, and leaves nothing open', async () => {
    const first = await open();
    await record(first, 'r1');
    await first.events.transact(() => ({events: [claimEvent('t', 's')], result: 0}));
    await first.close();
    for (const log of ['events', 'evidence/traces']) {
      const path = join(root, 'kernel', log, '0000000000000001.jsonl');
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
      const before = readdirSync('/proc/self/fd').length;
      await expect(open()).rejects.toMatchObject({
        code: 'LOG_CORRUPT',
        message: expect.stringMatching(/has [02] lines, but a checkpoint was signed over [13]/u) as string,
      });
      expect(readdirSync('/proc/self/fd').length).toBe(before);
      writeFileSync(path, text);
    }
    expect((await (await open()).signed.verify()).status).toBe('verified');
  });

  test('repairs and reports what a crash left', async () => {
    const first = await open();
    await record(first, 'r1');
    await first.close();
    const path = join(root, 'kernel', 'evidence', 'traces', '0000000000000001.jsonl');
    appendFileSync(path, '{"seq":4,');
    const warnings: string[] = [];
    const second = await open({onWarning: (message) => warnings.push(message)});
    expect(warnings).toEqual([expect.stringContaining('torn line 4')]);
    expect((await second.evidence.read({})).receipts).toHaveLength(1);
  });

  test('rejects an invalid signing key', async () => {
    const rsa = generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey.export({format: 'der', type: 'pkcs8'});
    for (const signingKey of ['', 'nonsense', rsa.toString('base64')]) {
      await expect(open({signingKey})).rejects.toMatchObject({code: 'LOAD_FAILED'});
    }
  });

  test('keeps everything from other users', async () => {
    const state = await open();
    await record(state, 'r1');
    await state.tasks.create({id: 'task-1', lane_id: 'core'});
    await state.contents.put('x'.repeat(100_000));
    await state.signed.checkpoint();
    for (const name of readdirSync(root, {recursive: true, encoding: 'utf8'})) {
      const stat = lstatSync(join(root, name));
      if (stat.isSymbolicLink() || name.endsWith('.pub')) continue;
      expect([name, (stat.mode & 0o777).toString(8)]).toEqual([name, stat.isDirectory() ? '700' : '600']);
    }
  });
});

describe('checkpoints', () => {
  test('are signed by a key that the host lends, beside those of the own one', async () => {
    const first = await open();
    await record(first, 'r1');
    await first.close();
    const der = generateKeyPairSync('ed25519').privateKey.export({format: 'der', type: 'pkcs8'});
    const second = await open({signingKey: der.toString('base64')});
    await record(second, 'r2');
    const note = await second.signed.checkpoint();
    expect(note).toMatch(/^lumenflow-[0-9a-f]{8}\/traces\n6\n/u);
    const report = await second.signed.verify();
    expect(report).toMatchObject({
      status: 'verified',
      signed_records: 6,
      signers: [
        {verifier_key: expect.stringMatching(/^lumenflow-/u) as string, checkpoints: 1, records: 3},
        {verifier_key: report.verifier_key, checkpoints: 1, records: 6},
      ],
    });
    expect(
      readFileSync(join(root, 'keys', 'evidence.pub'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(2);
  });

  test('are made in the background, and continue from the last one without reading everything again', async () => {
    const state = await open({checkpointEvery: 10});
    const notes = join(root, 'kernel', 'evidence', 'tree', 'traces');
    for (let call = 0; call < 8; call += 1) await record(state, `r${call}`);
    await expect.poll(() => readdirSync(notes).filter((name) => name.endsWith('.note')).length).toBeGreaterThan(0);
    await state.close();
    const frontier = join(root, 'kernel', 'index', 'traces-frontier.json');
    const written = readFileSync(frontier, 'utf8');
    for (const spoiled of [
      written,
      written.replace(/[0-9a-f]{64}"\]/u, `${'0'.repeat(64)}"]`),
      '{',
      'null',
      '{"position":{}}',
    ]) {
      writeFileSync(frontier, spoiled);
      const next = await open();
      await record(next, `after ${spoiled.length}`);
      await next.signed.checkpoint();
      expect((await next.signed.verify()).status).toBe('verified');
      await next.close();
    }
  });

  test('of an unchanged log are one', async () => {
    const state = await open();
    await record(state, 'r1');
    expect(await state.signed.checkpoint()).toBe(await state.signed.checkpoint());
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
    await states[1]?.signed.checkpoint();
    expect(await states[0]?.signed.verify()).toMatchObject({status: 'verified', records: 360});
  });

  test('of many claims at once one wins, and all see the same events', async () => {
    const states = await Promise.all([open(), open()]);
    const seen = states.map((state) => {
      const events: KernelEvent[] = [];
      void state.events.onEvent((event) => events.push(event));
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
    await two.events.onEvent((event) => seen.push(event.seq));
    await one.events.transact(() => ({events: [claimEvent('t1', 's'), claimEvent('t2', 's')], result: 0}));
    two.events.refresh();
    expect(seen).toEqual([1, 2]);
    await record(one, 'r1');
    expect((await two.evidence.receipt('r1'))?.finished).toBeDefined();
  });
});
