// A loss by power failure is distinguished from a removal, as far as files allow. A missing content of a signed record, or of one that
// a call waited for, is never explained by a power failure.
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {VerifyReport} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {LostContent} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
import {verifyEvidence} from './verify-evidence.ts';

/** Of another boot than this one. */
const earlier: ProcessRegistry = {processId: 'dead.1.1.1.1', isAlive: (id) => id === 'dead.1.1.1.1'};
const timestamp = '2026-01-02T03:04:05.678Z';

let root: string;
let written: SignedState;
/** Events that earlier openings recorded. */
let reported: number;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-losses-'));
  reported = 0;
  written = await open('written', earlier);
});
afterEach(async () => {
  await written.close();
  rmSync(root, {recursive: true});
});

function open(name: string, processes = createProcessRegistry()): Promise<SignedState> {
  return openSignedState({stateFolder: join(root, name), keyFolder: join(root, 'keys'), processes});
}

async function record(id: string, extra: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const {evidence, contents} = written;
  const input = await contents.put(`{"of":"${id}"}`);
  const start = startedRecord(id, {
    process_id: earlier.processId,
    input_hash: input.hash,
    input_ref: input.ref,
    ...extra,
  });
  await evidence.append([start], {fsync: extra['durable'] === true});
  const output = await contents.put(`{"from":"${id}"}`);
  const finish = finishedRecord(id, {output_hash: output.hash, output_ref: output.ref});
  await evidence.append([finish], {fsync: false});
}

/** The content of the disk at a loss of power. */
function loseThePower(): string {
  rmSync(join(root, 'kernel'), {recursive: true, force: true});
  cpSync(join(root, 'written'), join(root, 'kernel'), {recursive: true, verbatimSymlinks: true});
  const folder = join(root, 'kernel', 'evidence', 'inputs');
  return join(folder, readdirSync(folder).find((name) => name.startsWith('pack-')) ?? '');
}

const verify = (): Promise<VerifyReport> => verifyEvidence(join(root, 'kernel'), {keyFolder: join(root, 'keys')});

/** Opens as the next process does; returns what this opening recorded as lost. */
async function reopen(): Promise<readonly LostContent[]> {
  const state = await open('kernel');
  const events = await state.events.read({afterSeq: reported});
  reported += events.length;
  await state.close();
  return events.flatMap((event) => (event.type === 'evidence_lost' ? event.contents : []));
}

async function recordLost(state: SignedState, contents: readonly LostContent[]): Promise<void> {
  const event = {type: 'evidence_lost' as const, timestamp, actor: 'kernel.reconciliation', contents: [...contents]};
  await state.events.transact(() => ({events: [event], result: undefined}));
}

const ids = (lost: readonly LostContent[]): readonly string[] => lost.map(({receipt_id}) => receipt_id);

test('a torn end of a pack is never tampering, wherever it is cut, and whether or not zeros follow', async () => {
  await record('r1');
  const pack = loseThePower();
  const whole = readFileSync(pack);
  for (let length = 0; length < whole.length; length += 1) {
    const zeros = Buffer.alloc(whole.length - length);
    for (const left of [whole.subarray(0, length), Buffer.concat([whole.subarray(0, length), zeros])]) {
      writeFileSync(pack, left);
      expect((await verify()).status, `cut at ${length} of ${whole.length}`).toBe('blob_missing');
    }
  }
  // Bytes that were never written are not a torn write.
  writeFileSync(pack, whole.toString().replace('"r1"', '"r2"'));
  expect((await verify()).status).toBe('tampered');
});

test('a sector in the middle of a pack that never reached the disk is not tampering', async () => {
  for (let call = 0; call < 40; call += 1) await record(`r${call}`);
  const pack = loseThePower();
  const whole = readFileSync(pack);
  writeFileSync(pack, whole.fill(0, 1_024, 1_536));
  expect((await verify()).status).toBe('blob_missing');
  expect((await reopen()).length).toBeGreaterThan(3);
  const {status, lost, findings} = await verify();
  expect([status, lost]).toEqual(['blob_missing', findings.length]);
});

test('a loss of power is recorded once, and verify reports it', async () => {
  await record('r1');
  await written.signed.checkpoint();
  await record('r2');
  await record('r3');
  const pack = loseThePower();
  truncateSync(pack, readFileSync(pack).indexOf('{"from":"r2"}'));
  expect(ids(await reopen())).toEqual(['r2', 'r3', 'r3']);
  const report = await verify();
  expect(report).toMatchObject({status: 'blob_missing', lost: 3, records: 6, signed_records: 6});
  for (const finding of report.findings) expect(finding).toMatch(/a loss of power destroyed .* see event 1$/u);
  expect(await reopen()).toEqual([]);
});

test('a later event does not explain a loss of signed records', async () => {
  await record('r1');
  await written.signed.checkpoint();
  const pack = loseThePower();
  truncateSync(pack, 0);
  expect(await reopen()).toEqual([]);
  const state = await open('kernel');
  const receipt = await state.evidence.receipt('r1');
  const refs = [receipt?.started.input_ref, receipt?.finished?.output_ref];
  await recordLost(
    state,
    refs.map((ref) => ({receipt_id: 'r1', ref: ref ?? ''})),
  );
  // Closing signs the event, too: the record's signature still comes first.
  await state.close();
  const report = await verify();
  expect(report).toMatchObject({status: 'blob_missing', lost: 0});
  expect(report.findings).toHaveLength(2);
  for (const finding of report.findings) expect(finding).toMatch(/missing: event 1 calls it lost, but it was signed/u);
});

test('a loss before the intent of a durable call is not explained', async () => {
  await record('r1');
  await record('r2', {durable: true});
  await record('r3');
  const pack = loseThePower();
  truncateSync(pack, 0);
  const lost = await reopen();
  // The outcome of r2 came after the intent that was waited for.
  expect(ids(lost)).toEqual(['r2', 'r3', 'r3']);
  expect(lost[0]?.ref).toBe((await written.evidence.receipt('r2'))?.finished?.output_ref);
});

test('an intent that was to be durable proves nothing while nothing of its call follows but its being closed', async () => {
  const input = await written.contents.put('{"of":"r1"}');
  const {hash: input_hash, ref: input_ref} = input;
  const start = startedRecord('r1', {process_id: earlier.processId, input_hash, input_ref, durable: true});
  await written.evidence.append([start], {fsync: true});
  await written.evidence.append([finishedRecord('r1', {result: 'crashed'})], {fsync: false});
  truncateSync(loseThePower(), 0);
  expect(ids(await reopen())).toEqual(['r1']);
});

test('within one boot nothing can be lost by power: what is missing is missing', async () => {
  await record('r1', {process_id: createProcessRegistry().processId});
  truncateSync(loseThePower(), 0);
  expect(await reopen()).toEqual([]);
  expect(await verify()).toMatchObject({status: 'blob_missing', lost: 0});
});

test('an outcome is lost by the power although its call began before the newest checkpoint', async () => {
  const start = startedRecord('r1', {process_id: earlier.processId});
  await written.evidence.append([start], {fsync: false});
  await written.signed.checkpoint();
  const {hash: output_hash, ref: output_ref} = await written.contents.put('{"from":"r1"}');
  await written.evidence.append([finishedRecord('r1', {output_hash, output_ref})], {fsync: false});
  truncateSync(loseThePower(), 0);
  expect(ids(await reopen())).toEqual(['r1']);
  expect(await verify()).toMatchObject({status: 'blob_missing', lost: 1});
});

test('lost and left behind by a kernel that is gone, a content is neither read nor taken for another', async () => {
  await record('r1');
  const pack = loseThePower();
  writeFileSync(pack, Buffer.alloc(readFileSync(pack).length));
  const state = await open('kernel');
  const receipt = await state.evidence.receipt('r1');
  expect(await state.contents.get(receipt?.started.input_ref ?? '')).toBeUndefined();
  const again = await state.contents.put('{"of":"r1"}');
  expect(await state.contents.get(again.ref)).toBe('{"of":"r1"}');
  await state.close();
});
