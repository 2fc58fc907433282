import {appendFileSync, mkdtempSync, rmSync, truncateSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {EvidenceFilter} from '@lumenflow/kernel';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {ArchiveReader} from '../archive/archive-reader.ts';
import {nodeFileOperations} from '../log/file-operations.ts';
import {segmentPath} from '../log/segment-files.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {finishedRecord, progressRecord, startedRecord} from '../conformance/example-records.ts';
import {recordBody, summarize} from './record-body.ts';
import {ReceiptReader} from './receipt-reader.ts';

let folder: string;
let log: SegmentedLog;
let reader: ReceiptReader;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-receipts-'));
  log = new SegmentedLog({folder, rotateBytes: 3_000, files: nodeFileOperations, onWarning: () => undefined});
  reader = new ReceiptReader({
    archive: new ArchiveReader(),
    folder,
    frontierPath: join(folder, 'none.json'),
    index: {indexFolder: join(folder, 'index'), owner: 'test', blockRecords: 7},
  });
});
afterEach(() => {
  reader.close();
  log.close();
  rmSync(folder, {recursive: true});
});

function write(...records: NewEvidenceRecord[]): void {
  log.catchUp();
  log.append(records.map(recordBody));
}

const minute = (value: number): string => `2026-01-01T00:${String(value).padStart(2, '0')}:00.000Z`;

/** Thirty calls, a minute each: by task, session, tool and result in turns, the last ones open. */
function writeCalls(): void {
  for (let call = 0; call < 30; call += 1) {
    const extra = {
      task_id: `t${call % 2}`,
      session_id: `s${call % 3}`,
      tool_name: `x:v${call % 5}`,
      timestamp: minute(call),
    };
    write(startedRecord(`r${call}`, extra));
  }
  for (let call = 0; call < 25; call += 1) {
    const results = ['success', 'failure', 'denied', 'crashed'] as const;
    write(finishedRecord(`r${call}`, {result: results[call % 4] ?? 'success'}));
  }
}

async function find(filter: EvidenceFilter): Promise<number[]> {
  const {receipts} = await reader.page(filter);
  return receipts.map((receipt) => Number(receipt.receipt_id.slice(1)));
}

describe('pages', () => {
  const all = Array.from({length: 30}, (_, index) => 29 - index);

  test.each<[EvidenceFilter, (call: number) => boolean]>([
    [{}, () => true],
    [{task_id: 't1'}, (call) => call % 2 === 1],
    [{session_id: 's2'}, (call) => call % 3 === 2],
    [{tool_name: 'x:v4'}, (call) => call % 5 === 4],
    [{result: 'success'}, (call) => call < 25 && call % 4 === 0],
    [{result: 'crashed'}, (call) => call < 25 && call % 4 === 3],
    [{result: 'open'}, (call) => call >= 25],
    [{since: minute(10)}, (call) => call >= 10],
    [{until: minute(10)}, (call) => call <= 10],
    [
      {since: minute(5), until: minute(20), task_id: 't0', result: 'denied'},
      (call) => call >= 5 && call <= 20 && call % 4 === 2,
    ],
    [{task_id: 'nobody'}, () => false],
    [{tool_name: 't1'}, () => false],
    [{limit: 3}, (call) => call >= 27],
    [{limit: 0}, (call) => call === 29],
  ])('%j', async (filter, matches) => {
    writeCalls();
    expect(await find(filter)).toEqual(all.filter(matches));
  });

  test('lead from one to the next until there is none', async () => {
    writeCalls();
    const seen: string[] = [];
    let before_seq: number | undefined;
    for (let page = 0; page < 4; page += 1) {
      const {receipts, next_before_seq} = await reader.page({
        task_id: 't0',
        limit: 4,
        ...(before_seq !== undefined && {before_seq}),
      });
      seen.push(...receipts.map((receipt) => receipt.receipt_id));
      expect(next_before_seq === undefined).toBe(page === 3);
      before_seq = next_before_seq;
    }
    expect(seen).toEqual(all.filter((call) => call % 2 === 0).map((call) => `r${call}`));
  });

  test('of an empty log are empty', async () => {
    expect(await reader.page({})).toEqual({receipts: []});
    expect(await reader.openCalls()).toEqual([]);
  });
});

describe('receipts', () => {
  test('grow while their call runs', async () => {
    write(startedRecord('r1'));
    expect(await reader.receipt('r1')).toMatchObject({receipt_id: 'r1', progress: []});
    write(progressRecord('r1', 1, 'ä'), progressRecord('r1', 2, {deep: [1]}));
    expect((await reader.receipt('r1'))?.progress.map(({payload}) => payload)).toEqual(['ä', {deep: [1]}]);
    expect(await reader.openCalls()).toHaveLength(1);
    write(finishedRecord('r1', {error_message: 'ü'}));
    expect(await reader.receipt('r1')).toMatchObject({finished: {error_message: 'ü'}});
    expect(await reader.openCalls()).toEqual([]);
  });

  test('keep the first start and the first outcome', async () => {
    write(startedRecord('r1', {tool_name: 'a:first'}), startedRecord('r1', {tool_name: 'a:second'}));
    write(finishedRecord('r1', {result: 'success'}), finishedRecord('r1', {result: 'crashed'}));
    expect(await reader.receipt('r1')).toMatchObject({started: {tool_name: 'a:first'}, finished: {result: 'success'}});
  });

  test('of calls without a start do not exist', async () => {
    write(finishedRecord('r1'), progressRecord('r1', 1, 0));
    expect(await reader.receipt('r1')).toBeUndefined();
  });

  test('are returned to simultaneous readers', async () => {
    writeCalls();
    const found = await Promise.all(Array.from({length: 30}, (_, call) => reader.receipt(`r${call}`)));
    expect(found.map((receipt) => receipt?.started.timestamp)).toEqual(
      Array.from({length: 30}, (_, call) => minute(call)),
    );
  });
});

describe('a log that is not whole', () => {
  test('is read as far as its lines have an end', async () => {
    write(startedRecord('r1'));
    appendFileSync(segmentPath(folder, 1), '{"seq":2,"pre');
    expect(await reader.openCalls()).toHaveLength(1);
  });

  test('is read again after lines were removed', async () => {
    write(startedRecord('r1'));
    const before = log.position;
    write(startedRecord('taken-back'));
    expect(await reader.receipt('taken-back')).toBeDefined();
    log.cutBack(before);
    expect(await reader.receipt('taken-back')).toBeUndefined();
    write(startedRecord('r2'));
    expect(await find({})).toEqual([2, 1]);
  });

  test('is an error when it is damaged', async () => {
    write(startedRecord('r1'));
    appendFileSync(segmentPath(folder, 1), 'garbage\n');
    const corrupt = {
      code: 'LOG_CORRUPT',
      message: expect.stringContaining('line 2 is not a line of this log') as string,
    };
    await expect(reader.page({})).rejects.toMatchObject(corrupt);
    await expect(reader.receipt('r1')).rejects.toMatchObject(corrupt);
    truncateSync(segmentPath(folder, 1), log.position.offset);
    expect(await find({})).toEqual([1]);
  });
});

describe('record bodies', () => {
  test.each<[string, NewEvidenceRecord]>([
    [
      'a start',
      startedRecord('r"1', {task_id: 'quo"te', execution_metadata: {type: 'tool_call_finished', receipt_id: 'x'}}),
    ],
    ['a start with long ids', startedRecord('r'.repeat(600), {task_id: 't'.repeat(600)})],
    ['a finish', finishedRecord('r1', {result: 'denied', policy_decisions: []})],
    ['a progress that looks like a finish', progressRecord('r1', 1, {type: 'tool_call_finished', receipt_id: 'r2'})],
  ])('%s: the summary is what a parse would give', (_, record) => {
    log.append([recordBody(record)]);
    reader.close();
    const line = Buffer.from(`{"seq":1,"prev":"${'0'.repeat(64)}",${recordBody(record).slice(1)}`);
    expect(JSON.parse(line.toString())).toMatchObject(record);
    expect(JSON.parse(line.toString())).toMatchObject(summarize(line) ?? {});
    expect(summarize(line)).toMatchObject({type: record.type, receipt_id: record.receipt_id});
  });

  test.each<[string, Record<string, unknown>]>([
    ['a field that no schema knows', {extra: 1}],
    ['a field that is missing', {policy_decisions: undefined}],
    ['a bigint', {execution_metadata: {big: 1n}}],
    ['a hash that is none', {input_hash: 'abc'}],
  ])('%s is refused', (_, extra) => {
    expect(() => recordBody(startedRecord('r1', extra))).toThrow(expect.objectContaining({code: 'BROKEN_INVARIANT'}));
  });
});
