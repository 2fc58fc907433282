import type {EvidenceFilter, Receipt} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {createCallLedger} from './call-ledger.ts';

/** A log of calls, one each second; what is appended later is newer. */
function createLog(count: number) {
  const receipts: Receipt[] = [];
  const reads: EvidenceFilter[] = [];
  const append = (isOpen = false): string => {
    const seq = receipts.length + 1;
    const base = {seq, prev: '', receipt_id: `rcp-${seq}`, timestamp: new Date(seq * 1_000).toISOString()};
    const started = {...base, type: 'tool_call_started', tool_name: 'a:b', policy_decisions: []};
    const finished = {...base, type: 'tool_call_finished', result: 'success', duration_ms: 1};
    receipts.push({
      receipt_id: base.receipt_id,
      started,
      progress: [],
      ...(!isOpen && {finished}),
    } as unknown as Receipt);
    return base.receipt_id;
  };
  for (let call = 0; call < count; call += 1) append();
  const ledger = createCallLedger({
    evidence: {
      receipt: async (id: string) => receipts.find(({receipt_id}) => receipt_id === id),
      readTraces: async (filter: EvidenceFilter = {}) => {
        reads.push(filter);
        const {limit = 100, before_seq = Infinity} = filter;
        const found = receipts.filter(({started}) => started.seq < before_seq).toReversed();
        const page = found.slice(0, limit);
        const last = page.at(-1)?.started.seq;
        return {receipts: page, ...(found.length > limit && last !== undefined && {next_before_seq: last})};
      },
    } as unknown as Parameters<typeof createCallLedger>[0]['evidence'],
  });
  const counted = (): number => ledger.tally.counts().reduce((total, {count: calls}) => total + calls, 0);
  const end = (id: string): void => {
    const index = receipts.findIndex(({receipt_id}) => receipt_id === id);
    const receipt = receipts[index];
    if (!receipt) throw new Error(id);
    const finished = {...receipt.started, type: 'tool_call_finished', result: 'failure', duration_ms: 2};
    receipts[index] = {...receipt, finished} as unknown as Receipt;
  };
  const report = (id: string): void => {
    const index = receipts.findIndex(({receipt_id}) => receipt_id === id);
    const receipt = receipts[index];
    if (!receipt) throw new Error(id);
    receipts[index] = {...receipt, progress: [...receipt.progress, {payload: 'x'}]} as unknown as Receipt;
  };
  return {ledger, reads, append, end, report, counted};
}

test('a long log is read as far back as somebody asks, and each call counts once, including calls that arrive in the meantime', async () => {
  const {ledger, reads, append, counted} = createLog(3_000);
  await ledger.readBack(new Date(2_600 * 1_000).toISOString());
  expect(reads).toHaveLength(1);
  expect(counted()).toBe(500);
  const all = ledger.readBack();
  append();
  await Promise.all([all, ledger.readBack(), ledger.refresh()]);
  await ledger.refresh();
  expect(counted()).toBe(3_001);
  expect([ledger.lastSeq(), ledger.openCalls()]).toEqual([3_001, 0]);
  const before = reads.length;
  await ledger.readBack();
  expect(reads).toHaveLength(before + 1);
});

test('listeners receive new calls and their ends, not what is read back', async () => {
  const {ledger, append, end} = createLog(1_200);
  const open = append(true);
  const received: string[] = [];
  ledger.subscribe(({receipt_id, finished}) => received.push(`${receipt_id} ${finished?.result ?? 'open'}`));
  await ledger.refresh();
  expect(ledger.openCalls()).toBe(1);
  await ledger.readBack();
  expect(received).toEqual([]);
  end(open);
  const fresh = append();
  await ledger.refresh();
  expect(received).toEqual([`${open} failure`, `${fresh} success`]);
});

test('listeners receive an open call again when it has reported more, and it counts once', async () => {
  const {ledger, append, report, end, counted} = createLog(0);
  const open = append(true);
  const received: number[] = [];
  await ledger.refresh();
  ledger.subscribe(({progress}) => received.push(progress.length));
  await ledger.refresh();
  report(open);
  report(open);
  await ledger.refresh();
  await ledger.refresh();
  report(open);
  await ledger.refresh();
  expect(received).toEqual([2, 3]);
  end(open);
  await ledger.refresh();
  expect([counted(), ledger.openCalls()]).toEqual([1, 0]);
});

test('of an empty log there is nothing, and listeners receive the first call', async () => {
  const {ledger, append, counted} = createLog(0);
  const received: string[] = [];
  ledger.subscribe(({receipt_id}) => received.push(receipt_id));
  await ledger.readBack();
  const first = append();
  await ledger.refresh();
  expect([received, counted()]).toEqual([[first], 1]);
});

test('a poll that finds nothing new reads one receipt', async () => {
  const {ledger, reads, append, counted} = createLog(1_000);
  await ledger.refresh();
  reads.length = 0;
  await ledger.refresh();
  expect(reads).toEqual([{limit: 1}]);
  append();
  await ledger.refresh();
  expect(counted()).toBe(501);
});
