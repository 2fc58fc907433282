import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {EvidenceFilter, EvidencePage} from '@lumenflow/kernel';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import * as fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {ArchiveReader} from '../archive/archive-reader.ts';
import {nodeFileOperations} from '../log/file-operations.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {finishedRecord, progressRecord, startedRecord} from '../conformance/example-records.ts';
import {ReceiptReader} from './receipt-reader.ts';
import {recordBody} from './record-body.ts';

let root: string;
let folder: string;
let indexFolder: string;
const readers: ReceiptReader[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-index-'));
  folder = join(root, 'traces');
  indexFolder = join(root, 'index');
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
  rmSync(root, {recursive: true});
});

function write(records: readonly NewEvidenceRecord[], into = folder): void {
  const log = new SegmentedLog({
    folder: into,
    rotateBytes: 20_000,
    files: nodeFileOperations,
    onWarning: () => undefined,
  });
  log.catchUp();
  for (let at = 0; at < records.length; at += 10) log.append(records.slice(at, at + 10).map(recordBody));
  log.close();
}

/** With blocks so large that all is in memory it is the oracle for one with small ones. */
function reader(blockRecords: number, of = {folder, indexFolder}): ReceiptReader {
  const made = new ReceiptReader({
    archive: new ArchiveReader(),
    folder: of.folder,
    frontierPath: join(root, 'none.json'),
    index: {indexFolder: of.indexFolder, owner: `test-${readers.length}`, blockRecords},
  });
  readers.push(made);
  return made;
}

const everything = Number.MAX_SAFE_INTEGER;
const blocks = (): readonly string[] => readdirSync(indexFolder).toSorted((a, b) => a.localeCompare(b));

const results = ['success', 'failure', 'denied', 'crashed'] as const;

/** As a busy workspace writes them: outcomes come later than other starts, some never. */
function manyRecords(count: number, prefix = 'r'): NewEvidenceRecord[] {
  const records: NewEvidenceRecord[] = [];
  for (let call = 0; records.length < count; call += 1) {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + call * 1_000).toISOString();
    const names = {task_id: `t${call % 7}`, session_id: `s${call % 11}`, tool_name: `x:v${call % 13}`, timestamp};
    records.push(startedRecord(`${prefix}${call}`, names));
    if (call % 5 === 0) records.push(progressRecord(`${prefix}${Math.max(0, call - (call % 3) * 40)}`, 1, call));
    const done = call - (call % 2) * 60;
    if (done >= 0 && done % 101 !== 0) {
      records.push(finishedRecord(`${prefix}${done}`, {result: results[done % 4] ?? 'success'}));
    }
  }
  return records.slice(0, count);
}

const minute = (value: number): string => new Date(Date.UTC(2026, 0, 1) + value * 60_000).toISOString();
const filters: readonly EvidenceFilter[] = [
  {},
  {task_id: 't3'},
  {session_id: 's1', tool_name: 'x:v5'},
  {result: 'open'},
  {result: 'denied', since: minute(20), until: minute(60)},
  {task_id: 'nobody'},
  {before_seq: 5_000, result: 'success', task_id: 't1'},
];

async function expectSame(one: ReceiptReader, other: ReceiptReader): Promise<void> {
  for (const filter of filters) {
    expect(await one.page({limit: 50, ...filter})).toEqual(await other.page({limit: 50, ...filter}));
  }
}

describe('an index in many blocks', () => {
  test('answers over 20,000 records as an index in memory does', async () => {
    write(manyRecords(20_000));
    const [indexed, oracle] = [reader(512), reader(everything)];
    await expectSame(indexed, oracle);
    // A block ends with its segment, too.
    expect(blocks().length).toBeGreaterThanOrEqual(39);
    const again = reader(512);
    await expectSame(again, oracle);
    const all = await oracle.page({limit: everything});
    expect(await again.page({limit: everything})).toEqual(all);
    for (const {receipt_id} of all.receipts.filter((_, index) => index % 400 === 0)) {
      expect(await again.receipt(receipt_id)).toEqual(await oracle.receipt(receipt_id));
    }
    expect(await again.receipt('r-none')).toBeUndefined();
  });

  test('accepts records in any order', async () => {
    const step = fc.record({kind: fc.constantFrom('start', 'progress', 'finish'), call: fc.nat(6)});
    await fc.assert(
      fc.asyncProperty(fc.array(step, {maxLength: 40}), fc.integer({min: 1, max: 9}), async (steps, blockRecords) => {
        rmSync(root, {recursive: true});
        mkdirSync(root);
        const begun = new Set<number>();
        const records = steps.flatMap(({kind, call}, sequence) => {
          if (kind === 'progress') return progressRecord(`r${call}`, 1, sequence);
          if (kind === 'finish')
            return finishedRecord(`r${call}`, {result: sequence % 2 === 0 ? 'success' : 'failure'});
          if (begun.has(call)) return [];
          begun.add(call);
          return startedRecord(`r${call}`, {task_id: `t${call % 2}`});
        });
        write(records);
        const oracle = reader(everything);
        for (const indexed of [reader(blockRecords), reader(blockRecords)]) {
          for (const filter of [{}, {task_id: 't1'}, {result: 'open'}, {result: 'success'}, {limit: 2}] as const) {
            expect(await indexed.page(filter)).toEqual(await oracle.page(filter));
          }
          for (let call = 0; call < 7; call += 1) {
            expect(await indexed.receipt(`r${call}`)).toEqual(await oracle.receipt(`r${call}`));
          }
        }
      }),
      {numRuns: 60},
    );
  });

  test('is read, not made again', async () => {
    write(manyRecords(3_000));
    await reader(256).page({});
    const before = blocks().map((name) => statSync(join(indexFolder, name)).ino);
    // Lines that the index covers are not read again, so it does not notice this damage.
    const [first = ''] = readdirSync(folder).toSorted((a, b) => a.localeCompare(b));
    const bytes = readFileSync(join(folder, first));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(join(folder, first), bytes);
    expect((await reader(256).page({})).receipts).toHaveLength(100);
    expect(blocks().map((name) => statSync(join(indexFolder, name)).ino)).toEqual(before);
    bytes.fill(0x20, 0, 400);
    writeFileSync(join(folder, first), bytes);
    await expect(reader(256).receipt('r0')).rejects.toMatchObject({code: 'LOG_CORRUPT'});
  });

  test('reads for one call the blocks that have records of it, and no other', async () => {
    write(manyRecords(3_000));
    const used = reader(256);
    const expected = await used.receipt('r1000');
    const whole = blocks();
    for (const name of [whole.at(0), whole.at(-1)]) rmSync(join(indexFolder, name ?? ''));
    expect(await used.receipt('r1000')).toEqual(expected);
    expect(expected).toMatchObject({receipt_id: 'r1000', finished: {result: 'success'}});
    expect(await used.receipt('r-none')).toBeUndefined();
    expect(blocks()).toEqual(whole.slice(1, -1));
  });

  test('of two starts with one id the first counts, in every position', async () => {
    write([startedRecord('r1', {tool_name: 'a:first'}), ...manyRecords(20, 'm')]);
    write([startedRecord('r1', {tool_name: 'a:second'})]);
    expect(await reader(4).receipt('r1')).toMatchObject({started: {tool_name: 'a:first'}});
  });
});

describe('an index that is not whole', () => {
  let expected: EvidencePage;
  let whole: readonly string[];
  beforeEach(async () => {
    write(manyRecords(1_500));
    expected = await reader(everything).page({limit: everything});
    await reader(128).page({});
    whole = blocks();
  });
  const mended = async (): Promise<void> => {
    expect(await reader(128).page({limit: everything})).toEqual(expected);
    const made = reader(128, {folder, indexFolder: join(root, 'fresh')});
    await made.page({});
    for (const name of blocks().filter((each) => each.endsWith('.calls'))) {
      expect(readFileSync(join(indexFolder, name)).equals(readFileSync(join(root, 'fresh', name)))).toBe(true);
    }
  };

  test.each([0, 5, 10])('is mended when block %d is gone, torn or changed', async (at) => {
    const path = join(indexFolder, blocks()[at] ?? '');
    const block = readFileSync(path);
    rmSync(path);
    await mended();
    for (const bytes of [block.subarray(0, 3_000), Buffer.alloc(0), Buffer.concat([block, Buffer.alloc(8)])]) {
      writeFileSync(path, bytes);
      await mended();
    }
    for (const position of [0, 40, 1_100, block.length - 1]) {
      const bytes = Buffer.from(block);
      bytes[position] = (bytes[position] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      await mended();
    }
  });

  test('is rebuilt if it belongs to another log', async () => {
    rmSync(folder, {recursive: true});
    write(manyRecords(1_000, 'other'));
    expected = await reader(everything).page({limit: everything});
    rmSync(join(root, 'fresh'), {recursive: true, force: true});
    expect(await reader(128).page({limit: everything})).toEqual(expected);
  });

  test('is used as far as it matches the log', async () => {
    const other = join(root, 'other');
    write(manyRecords(1_500).slice(0, 700), other);
    write(manyRecords(900, 'new'), other);
    rmSync(folder, {recursive: true});
    cpSync(other, folder, {recursive: true});
    expect(await reader(128).page({limit: everything})).toEqual(await reader(everything).page({limit: everything}));
  });

  test('is rebuilt if it is deleted or cut while in use', async () => {
    const used = reader(128);
    expect(await used.page({limit: everything})).toEqual(expected);
    rmSync(indexFolder, {recursive: true});
    expect(await used.page({limit: everything})).toEqual(expected);
    expect(blocks()).toEqual(whole);
    writeFileSync(join(indexFolder, blocks()[3] ?? ''), 'cut');
    expect(await used.page({limit: everything})).toEqual(expected);
    await mended();
  });

  test('is kept in memory if it cannot be written', async () => {
    writeFileSync(join(root, 'file'), '');
    const held = reader(128, {folder, indexFolder: join(root, 'file', 'index')});
    expect(await held.page({limit: everything})).toEqual(expected);
    expect(await held.receipt('r3')).toMatchObject({receipt_id: 'r3'});
  });

  test('is the same from every process, also simultaneously', async () => {
    rmSync(indexFolder, {recursive: true});
    const pages = await Promise.all(Array.from({length: 4}, () => reader(128).page({limit: everything})));
    for (const page of pages) expect(page).toEqual(expected);
    expect(blocks()).toEqual(whole);
    await mended();
  });
});
