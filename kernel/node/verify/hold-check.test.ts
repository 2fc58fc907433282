// Deletions that a legal hold did not allow are found, by the events alone.
import type {KernelEvent, ToolCallStarted} from '@lumenflow/schemas';
import {beforeEach, describe, expect, test} from 'vitest';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {NewEvent} from '@lumenflow/kernel/adapters';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {HoldCheck} from './hold-check.ts';
import {verifyEvidence} from './verify-evidence.ts';

const fact = {timestamp: '2026-01-02T03:04:05.678Z', actor: 'ann'};
const held = (covers: object): object => ({...fact, type: 'evidence_held', hold_id: 'h', reason: 'a claim', covers});
const lifted = {...fact, type: 'evidence_hold_lifted', hold_id: 'h', reason: 'settled'};
const expired = {...fact, type: 'evidence_expired', rule: 'contents: 1d', before: fact.timestamp, contents: 1};
const expiredThrough = (seq: number): object => ({...expired, through_seq: seq, complete_seq: 0});
const redacted = {...fact, type: 'evidence_redacted', reason: 'x', hashes: ['hash']};
const created = {...fact, type: 'task_created', task_id: 'task-1', lane_id: 'core', spec_hash: ''};

const call = startedRecord('call') as unknown as ToolCallStarted;
let check: HoldCheck;
beforeEach(() => (check = new HoldCheck()));

function explain(...events: readonly object[]): string {
  for (const [at, event] of events.entries()) check.noteEvent({...event, seq: at + 1} as KernelEvent);
  const explained = check.explain('hash', 5, {...call, task_id: 'task-1'});
  return explained.hold ? `held by ${explained.hold.hold_id}` : explained.by;
}

describe('a deletion', () => {
  test.each<[string, string, readonly object[]]>([
    ['without a hold', 'rule', [expiredThrough(5)]],
    ['of older records only', 'nothing', [expiredThrough(4)]],
    ['during a hold', 'held by h', [held({task_id: 'task-1'}), expiredThrough(5)]],
    ['before a hold', 'rule', [expiredThrough(5), held({task_id: 'task-1'}), expiredThrough(5)]],
    ['after a hold', 'rule', [held({task_id: 'task-1'}), expiredThrough(5), lifted, expiredThrough(5)]],
    ['during a hold on another task', 'rule', [held({task_id: 'task-2'}), expiredThrough(5)]],
    ['during a hold on its lane', 'held by h', [created, held({lane_id: 'core'}), expiredThrough(5)]],
    ['during a hold on another lane', 'rule', [created, held({lane_id: 'docs'}), expiredThrough(5)]],
    ['during a hold since its time', 'held by h', [held({since: call.timestamp}), expiredThrough(5)]],
    ['during a hold until before it', 'rule', [held({until: '2000-01-01T00:00:00.000Z'}), expiredThrough(5)]],
    ['during a hold on its tool', 'held by h', [held({tool_name: call.tool_name}), expiredThrough(5)]],
    ['during a hold on another session', 'rule', [held({session_id: 'another'}), expiredThrough(5)]],
    ['by redaction', 'redaction', [redacted]],
    ['by redaction during a hold', 'held by h', [held({task_id: 'task-1'}), redacted]],
    ['by redaction after a hold', 'redaction', [held({task_id: 'task-1'}), lifted, redacted]],
  ])('%s: %s', (_, explained, events) => {
    expect(explain(...events)).toBe(explained);
  });
});

test.each([true, false])('verification reports what was deleted under a legal hold (%s)', async (isHeld) => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-holds-'));
  const [stateFolder, keyFolder] = [join(root, 'kernel'), join(root, 'keys')];
  const state = await openSignedState({stateFolder, keyFolder, processes: createProcessRegistry()});
  const [input, output] = [await state.contents.put('"in"'), await state.contents.put('"out"')];
  const start = startedRecord('r', {input_hash: input.hash, input_ref: input.ref});
  const finish = finishedRecord('r', {output_hash: output.hash, output_ref: output.ref});
  await state.evidence.append([start, finish], {fsync: false});
  const events = [...(isHeld ? [held({tool_name: call.tool_name})] : []), expiredThrough(2)] as NewEvent[];
  await state.events.transact(() => ({events, result: 0}));
  for (const {hash} of [input, output]) await state.contents.shred(hash);
  await state.signed.checkpoint();
  await state.close();
  const {status, expired: explained, findings} = await verifyEvidence(stateFolder, {keyFolder});
  const finding = expect.stringContaining('was deleted while the legal hold `h` (ann, event 1) was in force');
  expect({status, explained, findings}).toEqual(
    isHeld
      ? {status: 'tampered', explained: 0, findings: [finding, finding]}
      : {status: 'verified', explained: 2, findings: []},
  );
  rmSync(root, {recursive: true});
});
