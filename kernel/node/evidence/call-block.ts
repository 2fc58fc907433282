// A range of the log as columns of numbers: the searchable fields of each call that started in it, and the position of its
// records. Ids are stored as parts of their SHA-256. The record itself shows whether the id really matches.
import type {LineLocation} from '../log/log-cursor.ts';
import type {LogPosition} from '../log/log-position.ts';
import {sha256Bytes} from '../system/sha256.ts';
import type {RecordSummary} from './record-body.ts';

/** Results by their number in a column; 0 is an open call, or a record that is not an outcome. */
export const results = ['open', 'success', 'failure', 'denied', 'crashed', 'invalid'] as const;

/** Each column's table, and the bytes of a number in it. `late` are records of calls that began before the block. */
export const columns = {
  key: {table: 'calls', bytes: 8},
  startSeq: {table: 'calls', bytes: 8},
  startedMs: {table: 'calls', bytes: 8},
  startSegment: {table: 'calls', bytes: 8},
  startOffset: {table: 'calls', bytes: 8},
  endSegment: {table: 'calls', bytes: 8},
  endOffset: {table: 'calls', bytes: 8},
  task: {table: 'calls', bytes: 4},
  session: {table: 'calls', bytes: 4},
  tool: {table: 'calls', bytes: 4},
  by: {table: 'calls', bytes: 4},
  result: {table: 'calls', bytes: 4},
  startBytes: {table: 'calls', bytes: 4},
  endBytes: {table: 'calls', bytes: 4},
  progressSegment: {table: 'progress', bytes: 8},
  progressOffset: {table: 'progress', bytes: 8},
  progressCall: {table: 'progress', bytes: 4},
  progressBytes: {table: 'progress', bytes: 4},
  lateKey: {table: 'late', bytes: 8},
  lateSegment: {table: 'late', bytes: 8},
  lateOffset: {table: 'late', bytes: 8},
  lateResult: {table: 'late', bytes: 4},
  lateBytes: {table: 'late', bytes: 4},
} as const;

export type ColumnName = keyof typeof columns;
export type Column = Float64Array | Uint32Array | readonly number[];
export const columnNames: readonly ColumnName[] = Object.keys(columns) as ColumnName[];

/** Gives the number of a row in a column. */
export type ReadCell = (name: ColumnName, row: number) => number;

export interface CallBlock {
  readonly firstSeq: number;
  /** All of a column at once. */
  column(name: ColumnName): Column;
  /** The row of the call that began in this block; -1 when none with this key did. */
  rowOf(key: number): number;
  /** Whether it has records of a call that began before it. */
  hasLate(key: number): boolean;
  /** Lends single cells: for a few rows far cheaper than the columns. */
  withCells<T>(work: (cell: ReadCell) => T): T;
}

/** A receipt id in the column `key`: 53 bits, the size of an exact integer. */
export function keyOf(receiptId: string): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = sha256Bytes(receiptId);
  return (((a << 16) | (b << 8) | c) * 2 ** 24 + ((d << 16) | (e << 8) | f)) * 2 ** 5 + (g >> 3);
}

/** What a task's, session's or tool's name is in its column. */
export function nameNumber(name: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = sha256Bytes(name);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** The block that still grows. */
export class OpenCallBlock implements CallBlock {
  /** Before its first line. */
  readonly start: LogPosition;
  readonly #rows = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #columns = Object.fromEntries(columnNames.map((name) => [name, []])) as unknown as Record<
    ColumnName,
    number[]
  >;

  constructor(start: LogPosition) {
    this.start = start;
  }

  get firstSeq(): number {
    return this.start.seq + 1;
  }

  column(name: ColumnName): readonly number[] {
    return this.#columns[name];
  }

  rowOf(key: number): number {
    return this.#columns.key.indexOf(key);
  }

  hasLate(key: number): boolean {
    return this.#columns.lateKey.includes(key);
  }

  withCells<T>(work: (cell: ReadCell) => T): T {
    return work((name, row) => this.#columns[name][row] ?? 0);
  }

  add(record: RecordSummary, location: LineLocation, bytes: number): void {
    const row = this.#rows.get(record.receipt_id);
    if (record.type === 'tool_call_started') {
      if (row === undefined) this.#addCall(record, location, bytes);
      return;
    }
    const result = record.type === 'tool_call_finished' ? results.indexOf(record.result) : 0;
    if (row === undefined) this.#addLate({key: keyOf(record.receipt_id), result}, location, bytes);
    else if (result === 0) this.#addProgress(row, location, bytes);
    else this.#finish({row, result}, location, bytes);
  }

  #addCall(record: Extract<RecordSummary, {type: 'tool_call_started'}>, at: LineLocation, bytes: number): void {
    const columns = this.#columns;
    const id = ownCopy(record.receipt_id);
    this.#rows.set(id, columns.key.push(keyOf(id)) - 1);
    columns.startSeq.push(at.seq);
    columns.startedMs.push(Date.parse(record.timestamp));
    columns.startSegment.push(at.segment);
    columns.startOffset.push(at.offset);
    columns.startBytes.push(bytes);
    columns.task.push(this.#numberOf(record.task_id));
    columns.session.push(this.#numberOf(record.session_id));
    columns.tool.push(this.#numberOf(record.tool_name));
    columns.by.push(this.#numberOf(record.by ?? ''));
    columns.result.push(0);
    columns.endSegment.push(0);
    columns.endOffset.push(0);
    columns.endBytes.push(0);
  }

  #addProgress(row: number, at: LineLocation, bytes: number): void {
    this.#columns.progressCall.push(row);
    this.#columns.progressSegment.push(at.segment);
    this.#columns.progressOffset.push(at.offset);
    this.#columns.progressBytes.push(bytes);
  }

  #addLate({key, result}: {key: number; result: number}, at: LineLocation, bytes: number): void {
    this.#columns.lateKey.push(key);
    this.#columns.lateResult.push(result);
    this.#columns.lateSegment.push(at.segment);
    this.#columns.lateOffset.push(at.offset);
    this.#columns.lateBytes.push(bytes);
  }

  /** Of two outcomes the first counts: it is the one that was there when the other was written. */
  #finish({row, result}: {row: number; result: number}, at: LineLocation, bytes: number): void {
    if (this.#columns.result[row] !== 0) return;
    this.#columns.result[row] = result;
    this.#columns.endSegment[row] = at.segment;
    this.#columns.endOffset[row] = at.offset;
    this.#columns.endBytes[row] = bytes;
  }

  #numberOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const number = nameNumber(name);
    this.#names.set(ownCopy(name), number);
    return number;
  }
}

/** A part of a longer string keeps all of it in memory; an id must not keep its record. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
