// Where the records of each call stand, in columns of numbers: a call costs some two hundred bytes of memory, whatever
// its records hold. Built from the log by whoever reads it; nothing is lost when it is dropped.
import type {EvidenceFilter} from '@lumenflow/kernel';
import type {LinePlace} from '../log/log-cursor.ts';
import type {LineFold} from '../log/log-follower.ts';
import {summarize, type RecordSummary} from './record-body.ts';

export interface RecordPlace {
  readonly segment: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Where all records of one call stand. */
export interface CallPlaces {
  readonly startSeq: number;
  readonly started: RecordPlace;
  readonly progress: readonly RecordPlace[];
  readonly finished: RecordPlace | undefined;
}

const results = ['open', 'success', 'failure', 'denied', 'crashed'] as const;

/** One growing column per fact, at the call's number. */
interface Columns {
  readonly startSeq: number[];
  readonly task: number[];
  readonly session: number[];
  readonly tool: number[];
  readonly startedMs: number[];
  readonly result: number[];
  readonly startSegment: number[];
  readonly startOffset: number[];
  readonly startBytes: number[];
  readonly endSegment: number[];
  readonly endOffset: number[];
  readonly endBytes: number[];
}

export class CallIndex implements LineFold {
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #open = new Set<number>();
  readonly #progress = new Map<number, RecordPlace[]>();
  readonly #columns: Columns = {
    startSeq: [],
    task: [],
    session: [],
    tool: [],
    startedMs: [],
    result: [],
    startSegment: [],
    startOffset: [],
    startBytes: [],
    endSegment: [],
    endOffset: [],
    endBytes: [],
  };

  add(line: Buffer, place: LinePlace): boolean {
    const record = summarize(line);
    if (record === undefined) return false;
    if (record.type === 'tool_call_started') this.#addStart(record, place, line.length);
    else this.#addToCall(record, place, line.length);
    return true;
  }

  #addToCall(record: RecordSummary, at: LinePlace, bytes: number): void {
    const call = this.#numbers.get(record.receipt_id);
    // Records of a call without a start stand in the log, but belong to nothing that could be asked for.
    if (call === undefined) return;
    const {segment, offset} = at;
    if (record.type !== 'tool_call_finished') {
      const places = this.#progress.get(call) ?? [];
      places.push({segment, offset, bytes});
      this.#progress.set(call, places);
      return;
    }
    // Of two outcomes the first counts: it is the one that was there when the other was written.
    if (!this.#open.delete(call)) return;
    this.#columns.result[call] = results.indexOf(record.result);
    this.#columns.endSegment[call] = segment;
    this.#columns.endOffset[call] = offset;
    this.#columns.endBytes[call] = bytes;
  }

  placesOf(receiptId: string): CallPlaces | undefined {
    const call = this.#numbers.get(receiptId);
    return call === undefined ? undefined : this.#places(call);
  }

  openCalls(): readonly CallPlaces[] {
    return [...this.#open].map((call) => this.#places(call));
  }

  /** Newest first, `limit` at most. */
  find(filter: EvidenceFilter, limit: number): readonly CallPlaces[] {
    const matches = this.#matcher(filter);
    const found: CallPlaces[] = [];
    for (let call = this.#callsBelow(filter.before_seq) - 1; call >= 0 && found.length < limit; call -= 1) {
      if (matches(call)) found.push(this.#places(call));
    }
    return found;
  }

  #addStart(record: Extract<RecordSummary, {type: 'tool_call_started'}>, at: LinePlace, bytes: number): void {
    if (this.#numbers.has(record.receipt_id)) return;
    const columns = this.#columns;
    const call = columns.startSeq.push(at.seq) - 1;
    this.#numbers.set(ownCopy(record.receipt_id), call);
    this.#open.add(call);
    columns.task.push(this.#nameNumber(record.task_id));
    columns.session.push(this.#nameNumber(record.session_id));
    columns.tool.push(this.#nameNumber(record.tool_name));
    columns.startedMs.push(Date.parse(record.timestamp));
    columns.startSegment.push(at.segment);
    columns.startOffset.push(at.offset);
    columns.startBytes.push(bytes);
    columns.result.push(0);
    columns.endSegment.push(0);
    columns.endOffset.push(0);
    columns.endBytes.push(0);
  }

  #nameNumber(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    return this.#names.size - 1;
  }

  #matcher(filter: EvidenceFilter): (call: number) => boolean {
    const {task, session, tool, result, startedMs} = this.#columns;
    const tests: ((call: number) => boolean)[] = [];
    const named = (column: readonly number[], name: string | undefined): void => {
      if (name === undefined) return;
      const wanted = this.#names.get(name);
      tests.push((call) => column[call] === wanted);
    };
    named(task, filter.task_id);
    named(session, filter.session_id);
    named(tool, filter.tool_name);
    const wanted = filter.result === undefined ? undefined : results.indexOf(filter.result);
    if (wanted !== undefined) tests.push((call) => result[call] === wanted);
    const since = filter.since === undefined ? undefined : Date.parse(filter.since);
    if (since !== undefined) tests.push((call) => (startedMs[call] ?? 0) >= since);
    const until = filter.until === undefined ? undefined : Date.parse(filter.until);
    if (until !== undefined) tests.push((call) => (startedMs[call] ?? 0) <= until);
    return (call) => tests.every((test) => test(call));
  }

  /** How many calls began below a sequence number. */
  #callsBelow(seq: number | undefined): number {
    const {startSeq} = this.#columns;
    if (seq === undefined) return startSeq.length;
    let low = 0;
    let high = startSeq.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((startSeq[middle] ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #places(call: number): CallPlaces {
    const {startSeq, startSegment, startOffset, startBytes, endSegment, endOffset, endBytes} = this.#columns;
    const place = (segment: number[], offset: number[], bytes: number[]): RecordPlace => ({
      segment: segment[call] ?? 0,
      offset: offset[call] ?? 0,
      bytes: bytes[call] ?? 0,
    });
    return {
      startSeq: startSeq[call] ?? 0,
      started: place(startSegment, startOffset, startBytes),
      progress: this.#progress.get(call) ?? [],
      finished: this.#open.has(call) ? undefined : place(endSegment, endOffset, endBytes),
    };
  }
}

/** A part of a longer string keeps all of it in memory; an id must not keep its record. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
