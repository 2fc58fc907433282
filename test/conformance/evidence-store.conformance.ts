// What every evidence store guarantees: records and receipts.
import type {EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {ToolCallFinished, ToolCallStarted} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {OpenAdapters} from './open-adapters.ts';

const later = {fsync: false};

function started(receiptId: string, extra: Partial<ToolCallStarted> = {}): NewEvidenceRecord {
  return {
    type: 'tool_call_started',
    timestamp: '2026-01-02T03:04:05.678Z',
    receipt_id: receiptId,
    process_id: 'process.1',
    run_id: 'run-1',
    task_id: 'task-1',
    session_id: 'session-1',
    tool_name: 'files:read',
    execution_mode: 'pool',
    spec_hash: 'ab'.repeat(32),
    policy_decisions: [],
    ...extra,
  };
}

function progress(receiptId: string, sequence: number, payload: unknown): NewEvidenceRecord {
  const timestamp = '2026-01-02T03:04:06.000Z';
  return {type: 'tool_call_progress', timestamp, receipt_id: receiptId, sequence, payload};
}

function finished(receiptId: string, extra: Partial<ToolCallFinished> = {}): NewEvidenceRecord {
  return {
    type: 'tool_call_finished',
    timestamp: '2026-01-02T03:04:07.000Z',
    receipt_id: receiptId,
    result: 'success',
    duration_ms: 1.5,
    ...extra,
  };
}

async function collect(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

export function runEvidenceStoreConformance({name, create}: OpenAdapters<EvidenceStore>): void {
  describe(`evidence store ${name}`, () => {
    let store: ReturnType<typeof create>;
    let log: EvidenceStore;
    beforeEach(async () => {
      store = create();
      log = await store.open();
    });
    afterEach(() => store.remove());

    const receiptIds = async (filter: Parameters<EvidenceStore['read']>[0], of = log): Promise<readonly string[]> =>
      (await of.read(filter)).receipts.map(({receipt_id}) => receipt_id);

    test('gives a receipt all its records, in one chain with those of others', async () => {
      await log.append([started('r1'), started('r2')], later);
      await log.append([progress('r1', 1, {half: [1, null]}), progress('r1', 2, 'done')], {fsync: true});
      await log.append([finished('r1', {artifacts_written: ['a.txt']})], later);
      const receipt = await log.receipt('r1');
      expect(receipt?.started).toMatchObject({...started('r1'), seq: 1, prev: '0'.repeat(64)});
      expect(receipt?.progress).toMatchObject([
        {seq: 3, payload: {half: [1, null]}},
        {seq: 4, payload: 'done'},
      ]);
      expect(receipt?.finished).toMatchObject({...finished('r1', {artifacts_written: ['a.txt']}), seq: 5});
      const second = await log.receipt('r2');
      expect(second).toEqual({receipt_id: 'r2', started: second?.started, progress: []});
      expect(second?.started.prev).toBe(sha256Hex(JSON.stringify(receipt?.started)));
      expect(await log.receipt('r3')).toBeUndefined();
      expect(await (await store.open()).receipt('r1')).toEqual(receipt);
    });

    test('one invalid record refuses its whole group', async () => {
      const cyclic: Record<string, unknown> = {};
      cyclic['self'] = cyclic;
      const unknown = finished('r1', {result: 'maybe' as 'success'});
      for (const bad of [progress('r1', 1, 1n), progress('r1', 1, cyclic), unknown]) {
        await expect(log.append([started('r1'), bad], later)).rejects.toMatchObject({code: 'BROKEN_INVARIANT'});
      }
      await log.append([started('r2')], later);
      expect((await log.receipt('r2'))?.started.seq).toBe(1);
      expect(await log.receipt('r1')).toBeUndefined();
    });

    test('finds calls newest first by task, session, tool, result and time', async () => {
      const at = (second: number): Partial<ToolCallStarted> => ({timestamp: `2026-01-02T03:04:0${second}.000Z`});
      await log.append([started('r1', at(1)), started('r2', {...at(2), task_id: 'task-2'})], later);
      await log.append([started('r3', {...at(3), session_id: 's2'}), started('r4', {...at(4), tool_name: 'x'})], later);
      await log.append(
        [finished('r2', {result: 'denied'}), finished('r1'), finished('r4', {result: 'failure'})],
        later,
      );
      expect(await receiptIds({})).toEqual(['r4', 'r3', 'r2', 'r1']);
      expect(await receiptIds({task_id: 'task-1'})).toEqual(['r4', 'r3', 'r1']);
      expect(await receiptIds({session_id: 's2'})).toEqual(['r3']);
      expect(await receiptIds({tool_name: 'files:read', task_id: 'task-1'})).toEqual(['r3', 'r1']);
      expect(await receiptIds({result: 'success'})).toEqual(['r1']);
      expect(await receiptIds({result: 'denied'})).toEqual(['r2']);
      expect(await receiptIds({result: 'open'})).toEqual(['r3']);
      expect(await receiptIds({result: 'crashed'})).toEqual([]);
      expect(await receiptIds({since: '2026-01-02T03:04:02.000Z', until: '2026-01-02T03:04:03.000Z'})).toEqual([
        'r3',
        'r2',
      ]);
      expect(await receiptIds({task_id: 'nobody'})).toEqual([]);
      await log.append([started('r5', {...at(5), by: 'ann'}), started('r6', {...at(6), by: 'bob'})], later);
      expect(await receiptIds({by: 'ann'})).toEqual(['r5']);
      expect(await receiptIds({by: 'bob', task_id: 'task-1'})).toEqual(['r6']);
      expect(await receiptIds({by: 'nobody'})).toEqual([]);
    });

    test('pages through all of them, each once', async () => {
      await log.append(
        Array.from({length: 250}, (_, index) => started(`r${index}`)),
        later,
      );
      expect((await log.read({})).receipts).toHaveLength(100);
      const seen: string[] = [];
      let before: number | undefined;
      do {
        const page = await log.read({limit: 60, ...(before !== undefined && {before_seq: before})});
        seen.push(...page.receipts.map(({receipt_id}) => receipt_id));
        before = page.next_before_seq;
      } while (before !== undefined);
      expect(seen).toEqual(Array.from({length: 250}, (_, index) => `r${249 - index}`));
      expect((await log.read({limit: 250})).next_before_seq).toBeUndefined();
    });

    test('exports records line by line in order, by task and time of the call', async () => {
      const at = (second: number): Partial<ToolCallStarted> => ({timestamp: `2026-01-02T03:04:0${second}.000Z`});
      await log.append([started('r1', at(1)), started('r2', {...at(2), task_id: 'task-2'})], later);
      await log.append([progress('r1', 1, 'ä'), started('r3', at(3)), finished('r2'), finished('r1')], later);
      await (await store.open()).append([finished('r3')], later);
      const seqs = async (filter: Parameters<EvidenceStore['export']>[0]): Promise<readonly number[]> => {
        const lines = await collect(log.export(filter));
        return lines.map((line) => (JSON.parse(line) as {seq: number}).seq);
      };
      expect(await seqs({})).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await seqs({task_id: 'task-1'})).toEqual([1, 3, 4, 6, 7]);
      expect(await seqs({task_id: 'task-2'})).toEqual([2, 5]);
      expect(await seqs({since: '2026-01-02T03:04:02.000Z', until: '2026-01-02T03:04:02.999Z'})).toEqual([2, 5]);
      expect(await seqs({since: '2026-01-02T03:04:03.000Z', task_id: 'task-1'})).toEqual([4, 7]);
      expect(await seqs({task_id: 'nobody'})).toEqual([]);
      const lines = await collect(log.export({}));
      expect(lines.map((line) => line.slice(-2))).toEqual(lines.map(() => '}\n'));
      const prevs = lines.map((line) => (JSON.parse(line) as {prev: string}).prev);
      expect(prevs.slice(1)).toEqual(lines.slice(0, -1).map((line) => sha256Hex(line.slice(0, -1))));
    });

    test('knows the calls that are open, of every process', async () => {
      const other = await store.open();
      await log.append([started('r1'), started('r2')], later);
      await other.append([started('r3'), finished('r1')], later);
      expect((await log.openCalls()).map(({receipt_id}) => receipt_id)).toEqual(['r2', 'r3']);
      expect(await receiptIds({}, other)).toEqual(['r3', 'r2', 'r1']);
    });

    test('of two outcomes the first counts', async () => {
      await log.append([started('r1')], later);
      await log.append([finished('r1', {result: 'success'})], later);
      await log.append([finished('r1', {result: 'crashed'})], later);
      expect((await log.receipt('r1'))?.finished?.result).toBe('success');
      expect(await log.openCalls()).toEqual([]);
    });

    test('512 at once are all there, in order for each', async () => {
      await Promise.all(
        Array.from({length: 512}, async (_, call) => {
          await log.append([started(`r${call}`)], {fsync: call % 5 === 0});
          await log.append([finished(`r${call}`)], later);
        }),
      );
      const {receipts} = await log.read({limit: 1_000});
      expect(receipts).toHaveLength(512);
      const seqs = receipts.flatMap(({started, finished}) => [started.seq, finished?.seq ?? 0]);
      expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({length: 1_024}, (_, index) => index + 1));
      expect(receipts.every(({started, finished}) => started.seq < (finished?.seq ?? 0))).toBe(true);
    });
  });
}
