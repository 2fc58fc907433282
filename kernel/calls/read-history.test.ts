// What counts as done before a call.
import {expect, test} from 'vitest';
import type {KeptChanges} from '../changes/kept-changes.ts';
import type {Kernel} from '../context/kernel.ts';
import type {PastCall} from '../policy/past-calls.ts';
import type {Receipt} from '../ports.ts';
import {pastCalls} from './read-history.ts';

type Finished = NonNullable<Receipt['finished']>;

function receiptOf(
  id: string,
  seq: number,
  finished: Partial<Finished> & {state?: string} = {},
  parent?: string,
): Receipt {
  const {state, ...others} = finished;
  return {
    receipt_id: id,
    started: {receipt_id: id, seq, timestamp: timeOf(seq), tool_name: id, ...(parent && {parent_receipt_id: parent})},
    finished: {seq: seq + 5, result: 'success', ...(state && {changes: {state}}), ...others},
    progress: [],
  } as unknown as Receipt;
}

const timeOf = (seq: number): string => `2026-11-26T10:00:${String(seq).padStart(2, '0')}.000Z`;

function calls(receipts: readonly Receipt[], kept: readonly KeptChanges[] = []): ReadonlyMap<string, PastCall> {
  const changes = new Map(kept.map((each) => [each.receipt_id, each]));
  const kernel = {workspace: {tools: new Map()}, state: {changes}} as unknown as Kernel;
  return new Map(pastCalls(kernel, {receipts, isWhole: true}).calls.map((call) => [call.receipt_id, call]));
}

test('a call whose changes are discarded did not succeed, nor did the calls that it made', () => {
  const found = calls([
    receiptOf('gate-in-failed', 21, {state: 'merged'}, 'failed'),
    receiptOf('failed', 20, {state: 'discarded', result: 'failure'}),
    receiptOf('gate-in-reported', 16, {}, 'reported'),
    receiptOf('reported', 15, {result: 'failure'}),
    receiptOf('gate-in-applied', 11, {state: 'merged'}, 'applied'),
    receiptOf('applied', 10, {state: 'applied'}),
    receiptOf('dry', 1, {state: 'discarded'}),
  ]);
  const succeeded = [...found.values()].filter((call) => call.succeeded).map(({receipt_id}) => receipt_id);
  expect(succeeded).toEqual(['gate-in-reported', 'gate-in-applied', 'applied']);
});

test.each<[Omit<KeptChanges, 'receipt_id'>, number | undefined]>([
  [{state: 'parked'}, 15],
  [{state: 'discarded', settled_at: timeOf(30)}, 15],
  [{state: 'settling'}, undefined],
  [{state: 'applied', settled_at: timeOf(12)}, 15],
  [{state: 'applied', settled_at: timeOf(20)}, 20],
  [{state: 'failed', settled_at: timeOf(29)}, 20],
  [{state: 'applied', settled_at: timeOf(30)}, 30],
])('changes that waited and now are %j end their call at %j', (kept, end) => {
  const parked = receiptOf('parked', 10, {state: 'parked', result: 'failure'});
  const receipts = [receiptOf('late', 30), receiptOf('gate', 20), parked];
  expect(calls(receipts, [{receipt_id: 'parked', ...kept}]).get('parked')?.finished_seq).toBe(end);
});
