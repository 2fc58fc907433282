import type {EvidenceFilter, Receipt} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {searchCalls} from './search-calls.ts';

/** A log in which every thousandth call is `rare`, and every other call is the scheduler's. */
function createLog(count: number): Parameters<typeof searchCalls>[0] {
  const receipts = Array.from({length: count}, (_, index) => {
    const seq = index + 1;
    const tool_name = seq % 1_000 === 0 ? 'a:rare' : 'a:usual';
    return {
      receipt_id: `rcp-${seq}`,
      started: {seq, tool_name, task_id: 't', by: seq % 2 === 0 ? 'ann' : 'scheduler'},
      progress: [],
      finished: {result: 'success'},
    } as unknown as Receipt;
  });
  const readTraces = async ({limit = 100, before_seq = Infinity}: EvidenceFilter = {}) => {
    const found = receipts.filter(({started}) => started.seq < before_seq).toReversed();
    const page = found.slice(0, limit);
    const last = page.at(-1)?.started.seq;
    return {receipts: page, ...(found.length > limit && last !== undefined && {next_before_seq: last})};
  };
  return {evidence: {readTraces} as unknown as Parameters<typeof searchCalls>[0]['evidence']};
}

test('pages continue where the page before ended, and find each match once', async () => {
  const log = createLog(5_000);
  const first = await searchCalls(log, {limit: 2}, {text: 'rare'});
  expect(first.receipts.map(({started}) => started.seq)).toEqual([5_000, 4_000]);
  const second = await searchCalls(log, {limit: 2, before_seq: first.next_before_seq ?? 0}, {text: 'rare'});
  expect(second.receipts.map(({started}) => started.seq)).toEqual([3_000, 2_000]);
  const third = await searchCalls(log, {limit: 2, before_seq: second.next_before_seq ?? 0}, {text: 'rare'});
  expect(third).toMatchObject({receipts: [{receipt_id: 'rcp-1000'}], left_out: 0});
  expect(third).not.toHaveProperty('next_before_seq');
});

test('a search that matches nothing ends after a bounded number of calls, and says where to continue', async () => {
  const page = await searchCalls(createLog(25_000), {}, {text: 'nothing'});
  expect(page).toMatchObject({receipts: [], next_before_seq: expect.any(Number)});
  expect(page.searched).toBeLessThan(11_000);
  expect(page.next_before_seq).toBe(25_001 - page.searched);
});

test('calls that are left out are counted', async () => {
  const page = await searchCalls(createLog(100), {limit: 10}, {without_by: 'scheduler'});
  expect(page.receipts.map(({started}) => started.by)).toEqual(Array.from({length: 10}, () => 'ann'));
  expect(page.left_out).toBe(9);
});
