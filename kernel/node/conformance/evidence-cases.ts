// The evidence store: the records of calls in one chain, and the receipts made of them.
import assert from 'node:assert/strict';
import type {EvidenceStore} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '../system/sha256.ts';
import {finishedRecord, progressRecord, startedRecord, timestampAt} from './example-records.ts';
import type {StateCase} from './state-case.ts';

type Filter = Parameters<EvidenceStore['read']>[0];
type ExportFilter = Parameters<EvidenceStore['export']>[0];

const later = {fsync: false};

async function receiptIds(store: EvidenceStore, filter: Filter = {}): Promise<readonly string[]> {
  return (await store.read(filter)).receipts.map(({receipt_id}) => receipt_id);
}

async function openIds(store: EvidenceStore): Promise<readonly string[]> {
  return (await store.openCalls()).map(({receipt_id}) => receipt_id);
}

async function exportedLines(store: EvidenceStore, filter: ExportFilter = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of store.export(filter)) lines.push(line);
  return lines;
}

async function exportedSeqs(store: EvidenceStore, filter: ExportFilter): Promise<readonly number[]> {
  return (await exportedLines(store, filter)).map((line) => (JSON.parse(line) as {seq: number}).seq);
}

export const evidenceCases: readonly StateCase[] = [
  {
    name: 'a receipt has all records of its call, in one chain with those of other calls',
    async run({open}) {
      const {evidence} = await open();
      await evidence.append([startedRecord('r1'), startedRecord('r2')], later);
      await evidence.append([progressRecord('r1', 1, {half: [1, null]}), progressRecord('r1', 2, 'done')], {
        fsync: true,
      });
      await evidence.append([finishedRecord('r1', {artifacts_written: ['a.txt']})], later);
      const [first, second] = [await evidence.receipt('r1'), await evidence.receipt('r2')];
      assert(first !== undefined && second !== undefined);
      const lines = await exportedLines(evidence);
      const prevAt = (seq: number): string => sha256Hex((lines[seq - 2] ?? '').slice(0, -1));
      assert.deepEqual(first, {
        receipt_id: 'r1',
        started: {...startedRecord('r1'), seq: 1, prev: '0'.repeat(64)},
        progress: [
          {...progressRecord('r1', 1, {half: [1, null]}), seq: 3, prev: prevAt(3)},
          {...progressRecord('r1', 2, 'done'), seq: 4, prev: prevAt(4)},
        ],
        finished: {...finishedRecord('r1', {artifacts_written: ['a.txt']}), seq: 5, prev: prevAt(5)},
      });
      assert.deepEqual(second, {
        receipt_id: 'r2',
        started: {...startedRecord('r2'), seq: 2, prev: sha256Hex(JSON.stringify(first.started))},
        progress: [],
      });
      assert.equal(await evidence.receipt('r3'), undefined);
      const {evidence: others} = await open();
      assert.deepEqual(await others.receipt('r1'), first);
    },
  },
  {
    name: 'one invalid record rejects its whole group',
    async run({open}) {
      const {evidence} = await open();
      const cyclic: Record<string, unknown> = {};
      cyclic['self'] = cyclic;
      const unknown = finishedRecord('r1', {result: 'maybe' as 'success'});
      for (const invalid of [progressRecord('r1', 1, 1n), progressRecord('r1', 1, cyclic), unknown]) {
        const attempt = evidence.append([startedRecord('r1'), invalid], later);
        await assert.rejects(attempt, {code: 'BROKEN_INVARIANT'});
      }
      await evidence.append([startedRecord('r2')], later);
      assert.equal((await evidence.receipt('r2'))?.started.seq, 1);
      assert.equal(await evidence.receipt('r1'), undefined);
    },
  },
  {
    name: 'calls are found newest first, by task, session, tool, person, result and time',
    async run({open}) {
      const {evidence} = await open();
      const at = (seconds: number) => ({timestamp: timestampAt(seconds)});
      await evidence.append([startedRecord('r1', at(1)), startedRecord('r2', {...at(2), task_id: 'task-2'})], later);
      await evidence.append([startedRecord('r3', {...at(3), session_id: 's2'})], later);
      await evidence.append([startedRecord('r4', {...at(4), tool_name: 'x'})], later);
      await evidence.append([finishedRecord('r2', {result: 'denied'}), finishedRecord('r1')], later);
      await evidence.append([finishedRecord('r4', {result: 'failure'})], later);
      const expected: readonly (readonly [Filter, readonly string[]])[] = [
        [{}, ['r4', 'r3', 'r2', 'r1']],
        [{task_id: 'task-1'}, ['r4', 'r3', 'r1']],
        [{task_id: 'unknown'}, []],
        [{session_id: 's2'}, ['r3']],
        [{tool_name: 'files:read', task_id: 'task-1'}, ['r3', 'r1']],
        [{result: 'success'}, ['r1']],
        [{result: 'denied'}, ['r2']],
        [{result: 'open'}, ['r3']],
        [{result: 'crashed'}, []],
        [{since: timestampAt(2), until: timestampAt(3)}, ['r3', 'r2']],
      ];
      for (const [filter, ids] of expected) assert.deepEqual(await receiptIds(evidence, filter), ids);
      await evidence.append([startedRecord('r5', {...at(5), by: 'ann'})], later);
      await evidence.append([startedRecord('r6', {...at(6), by: 'bob'})], later);
      assert.deepEqual(await receiptIds(evidence, {by: 'ann'}), ['r5']);
      assert.deepEqual(await receiptIds(evidence, {by: 'bob', task_id: 'task-1'}), ['r6']);
      assert.deepEqual(await receiptIds(evidence, {by: 'unknown'}), []);
    },
  },
  {
    name: 'pages contain every call once',
    async run({open}) {
      const {evidence} = await open();
      const started = Array.from({length: 250}, (_, index) => startedRecord(`r${index}`));
      await evidence.append(started, later);
      assert.equal((await evidence.read({})).receipts.length, 100);
      const seen: string[] = [];
      let before: number | undefined;
      do {
        const page = await evidence.read({limit: 60, before_seq: before});
        seen.push(...page.receipts.map(({receipt_id}) => receipt_id));
        before = page.next_before_seq;
      } while (before !== undefined);
      assert.deepEqual(
        seen,
        Array.from({length: 250}, (_, index) => `r${249 - index}`),
      );
      assert.equal((await evidence.read({limit: 250})).next_before_seq, undefined);
    },
  },
  {
    name: 'an export has records line by line in order, by task and by time of the call',
    async run({open}) {
      const [{evidence}, {evidence: others}] = [await open(), await open()];
      const at = (seconds: number) => ({timestamp: timestampAt(seconds)});
      await evidence.append([startedRecord('r1', at(1)), startedRecord('r2', {...at(2), task_id: 'task-2'})], later);
      await evidence.append([progressRecord('r1', 1, 'ä'), startedRecord('r3', at(3))], later);
      await evidence.append([finishedRecord('r2'), finishedRecord('r1')], later);
      await others.append([finishedRecord('r3')], later);
      const expected: readonly (readonly [ExportFilter, readonly number[]])[] = [
        [{}, [1, 2, 3, 4, 5, 6, 7]],
        [{task_id: 'task-1'}, [1, 3, 4, 6, 7]],
        [{task_id: 'task-2'}, [2, 5]],
        [{task_id: 'unknown'}, []],
        [{since: timestampAt(2), until: '2026-01-02T03:04:02.999Z'}, [2, 5]],
        [{since: timestampAt(3), task_id: 'task-1'}, [4, 7]],
      ];
      for (const [filter, seqs] of expected) assert.deepEqual(await exportedSeqs(evidence, filter), seqs);
      const lines = await exportedLines(evidence);
      for (const line of lines) assert(line.endsWith('}\n'));
      const prevs = lines.map((line) => (JSON.parse(line) as {prev: string}).prev);
      assert.deepEqual(
        prevs.slice(1),
        lines.slice(0, -1).map((line) => sha256Hex(line.slice(0, -1))),
      );
    },
  },
  {
    name: 'the open calls are those of every process',
    async run({open}) {
      const [{evidence}, {evidence: others}] = [await open(), await open()];
      await evidence.append([startedRecord('r1'), startedRecord('r2')], later);
      await others.append([startedRecord('r3'), finishedRecord('r1')], later);
      assert.deepEqual(await openIds(evidence), ['r2', 'r3']);
      assert.deepEqual(await receiptIds(others), ['r3', 'r2', 'r1']);
    },
  },
  {
    name: 'of two outcomes of a call the first counts',
    async run({open}) {
      const {evidence} = await open();
      await evidence.append([startedRecord('r1')], later);
      await evidence.append([finishedRecord('r1', {result: 'success'})], later);
      await evidence.append([finishedRecord('r1', {result: 'crashed'})], later);
      assert.equal((await evidence.receipt('r1'))?.finished?.result, 'success');
      assert.deepEqual(await openIds(evidence), []);
    },
  },
  {
    name: '512 calls at once are all recorded, each in order',
    async run({open}) {
      const {evidence} = await open();
      await Promise.all(
        Array.from({length: 512}, async (_, call) => {
          await evidence.append([startedRecord(`r${call}`)], {fsync: call % 5 === 0});
          await evidence.append([finishedRecord(`r${call}`)], later);
        }),
      );
      const {receipts} = await evidence.read({limit: 1_000});
      assert.equal(receipts.length, 512);
      const seqs = receipts.flatMap(({started, finished}) => [started.seq, finished?.seq ?? 0]);
      assert.deepEqual(
        seqs.toSorted((a, b) => a - b),
        Array.from({length: 1_024}, (_, index) => index + 1),
      );
      assert(receipts.every(({started, finished}) => started.seq < (finished?.seq ?? 0)));
    },
  },
];
