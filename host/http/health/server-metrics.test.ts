// The metrics of a server whose log is too long to be read in one request.
import type {EvidencePage, Receipt} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {createCallLedger} from '../call-ledger/call-ledger.ts';
import type {KeptStore} from '../call-ledger/kept-counts.ts';
import type {HttpHost} from '../route.ts';
import {createRequestCounter} from './request-counter.ts';
import {createServerMetrics} from './server-metrics.ts';

/** A log of two pages; the second one is read when `release` is called. */
function createSlowServer(store: Partial<KeptStore> = {}) {
  const receiptOf = (seq: number) =>
    ({
      receipt_id: `rcp-${seq}`,
      started: {seq, prev: '', receipt_id: `rcp-${seq}`, tool_name: 'a:b', timestamp: '2026-01-01T00:00:00.000Z'},
      progress: [],
      finished: {seq: seq + 1, result: 'success', duration_ms: 1, policy_decisions: []},
    }) as unknown as Receipt;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const readTraces = async ({before_seq}: {before_seq?: number} = {}): Promise<EvidencePage> => {
    if (before_seq === undefined) return {receipts: [receiptOf(3)], next_before_seq: 3};
    await released;
    return {receipts: [receiptOf(1)]};
  };
  const evidence = {readTraces, receipt: async () => receiptOf(3)};
  const runtime = {evidence, listApprovals: () => [], listTasks: () => []};
  const host = {runtime} as unknown as HttpHost;
  const errors: unknown[] = [];
  const ledger = createCallLedger(host.runtime, {read: async () => undefined, write: async () => undefined, ...store});
  const metrics = createServerMetrics({
    host,
    version: '0.0.0',
    ledger,
    readiness: {reasons: async () => [], drain: () => undefined},
    requests: createRequestCounter(),
    more: () => [],
    readMs: 1,
    onError: (error) => errors.push(error),
  });
  const valueOf = async (name: string): Promise<number | undefined> => {
    const family = (await metrics.metrics()).find((each) => each.name === name);
    return family && 'samples' in family ? family.samples[0]?.value : undefined;
  };
  return {metrics, ledger, valueOf, release, errors};
}

test('a scrape does not wait for a long log, and counters are absent until all calls are counted', async () => {
  const {valueOf, release, ledger} = createSlowServer();
  expect(await valueOf('lumenflow_calls_counted')).toBe(0);
  expect(await valueOf('lumenflow_calls_total')).toBeUndefined();
  expect(await valueOf('lumenflow_calls_open')).toBeUndefined();
  release();
  await ledger.readBack();
  expect(await valueOf('lumenflow_calls_counted')).toBe(1);
  expect(await valueOf('lumenflow_calls_total')).toBe(2);
});

test('counters are kept by the first scrape that has them all and at the end, and a failure to keep them is reported', async () => {
  const written: number[] = [];
  const {metrics, valueOf, release, ledger, errors} = createSlowServer({
    write: async ({newest}) => void written.push(newest.seq),
  });
  release();
  await ledger.readBack();
  await valueOf('lumenflow_calls_total');
  await valueOf('lumenflow_calls_total');
  expect(written).toEqual([3]);
  await metrics.close();
  expect([written, errors]).toEqual([[3, 3], []]);

  const failing = createSlowServer({write: () => Promise.reject(new Error('no space'))});
  failing.release();
  await failing.ledger.readBack();
  expect(await failing.valueOf('lumenflow_calls_total')).toBe(2);
  expect(failing.errors).toEqual([new Error('no space')]);
});

test('a server that nobody scraped keeps nothing', async () => {
  const written: number[] = [];
  const {metrics, ledger, release} = createSlowServer({write: async () => void written.push(1)});
  release();
  await ledger.readBack();
  await metrics.close();
  expect(written).toEqual([]);
});
