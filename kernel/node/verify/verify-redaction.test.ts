import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {VerifyReport} from '@lumenflow/kernel';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
import {sha256Hex} from '../system/sha256.ts';
import {verifyEvidence} from './verify-evidence.ts';

let root: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-redaction-'));
  const {evidence, contents: store, close} = await open();
  for (const [index, text] of [...contents, '"plain"'].entries()) {
    const [input, output] = [await store.put(text), await store.put(`"${index}"`)];
    const start = startedRecord(`r${index}`, {input_hash: input.hash, input_ref: input.ref});
    const finish = finishedRecord(`r${index}`, {output_hash: output.hash, output_ref: output.ref});
    await evidence.append([start, finish], {fsync: false});
  }
  await close();
});
afterEach(() => rmSync(root, {recursive: true}));

function open(): Promise<SignedState> {
  const folders = {stateFolder: join(root, 'kernel'), keyFolder: join(root, 'keys')};
  return openSignedState({...folders, processes: createProcessRegistry()});
}

function verify(): Promise<VerifyReport> {
  return verifyEvidence(join(root, 'kernel'), {keyFolder: join(root, 'keys')});
}

const redact = async (inputs: readonly string[], events: boolean): Promise<void> => {
  const state = await open();
  const hashes = inputs.map((text) => sha256Hex(text));
  const event = {timestamp: '2026-01-02T03:04:05.678Z', actor: 'ann', reason: 'asked for', hashes};
  if (events) await state.events.transact(() => ({events: [{type: 'evidence_redacted', ...event}], result: 0}));
  for (const hash of hashes) await state.contents.shred(hash);
  await state.signed.checkpoint();
  await state.close();
};
const contents = ['{"call":"r1"}', 'x'.repeat(70_000)];

test('a redacted content differs from a missing one: blob_missing, with the number', async () => {
  await redact(contents, true);
  const report = await verify();
  expect(report).toMatchObject({status: 'blob_missing', records: 6, blobs: 4, redacted: 2});
  expect(report.findings).toHaveLength(2);
  for (const finding of report.findings) expect(finding).toMatch(/refers to `inputs.*, which was redacted$/u);
  rmSync(join(root, 'kernel', 'evidence', 'inputs'), {recursive: true});
  const {findings, redacted} = await verify();
  expect([redacted, findings.filter((text) => text.endsWith('missing')).length]).toEqual([2, 4]);
});

test('an overwritten content without an event is tampering', async () => {
  await redact(contents, false);
  expect(await verify()).toMatchObject({status: 'tampered', redacted: 0});
});

test('a content that should be redacted but exists counts as recorded', async () => {
  const state = await open();
  const event = {
    timestamp: '2026-01-02T03:04:05.678Z',
    actor: 'ann',
    reason: 'x',
    hashes: [sha256Hex(contents[0] ?? '')],
  };
  await state.events.transact(() => ({events: [{type: 'evidence_redacted', ...event}], result: 0}));
  await state.signed.checkpoint();
  await state.close();
  expect(await verify()).toMatchObject({status: 'verified', redacted: 0});
});
