import type {EvidenceFilter, Receipt} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {createCallLedger} from './call-ledger.ts';
import type {KeptCounts} from './kept-counts.ts';

/** A log of calls, one each second; what is appended later is newer. */
function createLog(count: number, kept: {counts?: KeptCounts | undefined} = {}) {
  const receipts: Receipt[] = [];
  const reads: EvidenceFilter[] = [];
  const append = (isOpen = false): string => {
    const seq = receipts.length + 1;
    const base = {
      seq,
      prev: `hash ${seq - 1} of ${count}`,
      receipt_id: `rcp-${seq}`,
      timestamp: new Date(seq * 1_000).toISOString(),
    };
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
  const runtime = {
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
  };
  const start = () =>
    createCallLedger(runtime, {
      read: async () => kept.counts,
      // As a file would be read.
      write: async (counts) => void (kept.counts = JSON.parse(JSON.stringify(counts)) as KeptCounts),
    });
  const ledger = start();
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
  return {ledger, start, reads, append, end, report, counted};
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

test('after a restart, only calls that are newer than the kept counters are read, and each counts once', async () => {
  const log = createLog(3_000);
  const open = [log.append(true), log.append(true)] as const;
  await log.ledger.readBack();
  await log.ledger.keep();
  const before = log.ledger.tally;
  log.end(open[0]);
  log.append();
  log.reads.length = 0;
  const restarted = log.start();
  await restarted.readBack();
  expect(log.reads).toHaveLength(1);
  await restarted.refresh();
  expect(restarted.isWhole()).toBe(true);
  expect(restarted.openCalls()).toBe(1);
  const countOf = ({counts}: typeof before, result: string): number =>
    counts().reduce((sum, {count, result: each}) => sum + (each === result ? count : 0), 0);
  expect([countOf(restarted.tally, 'success'), countOf(restarted.tally, 'failure')]).toEqual([3_001, 1]);
  expect(restarted.tally.latencies().get('a:b')).toMatchObject({count: 3_002, sumMs: 3_003});
  expect(restarted.tally.minutes().reduce((sum, {calls}) => sum + calls, 0)).toBeGreaterThan(3_000);
});

test('counters that were kept before all calls were counted, or of another log, are not used', async () => {
  const kept: {counts?: KeptCounts} = {};
  const half = createLog(3_000, kept);
  await half.ledger.refresh();
  await half.ledger.keep();
  expect([half.ledger.isWhole(), kept.counts]).toEqual([false, undefined]);
  await half.ledger.readBack();
  await half.ledger.keep();
  expect(kept.counts?.newest.seq).toBe(3_000);
  const other = createLog(3_001, kept);
  await other.ledger.readBack();
  expect(other.counted()).toBe(3_001);
  const shorter = createLog(10, kept);
  await shorter.ledger.readBack();
  expect(shorter.counted()).toBe(10);
});

test('of an empty log nothing is kept, and a ledger that is closed reads no further', async () => {
  const kept: {counts?: KeptCounts} = {};
  const empty = createLog(0, kept);
  await empty.ledger.readBack();
  await empty.ledger.keep();
  expect(kept.counts).toBeUndefined();
  const long = createLog(3_000);
  long.ledger.close();
  await long.ledger.readBack();
  expect([long.ledger.isWhole(), long.reads.length]).toEqual([false, 1]);
});
