// Locates the records of calls: older calls are in blocks on disk, newer ones in memory. For a block on disk, a process keeps a few
// bytes for each of its calls. A missing index is rebuilt from the log.
import type {EvidenceFilter} from '@lumenflow/kernel';
import type {LineLocation} from '../log/log-cursor.ts';
import type {LineFold} from '../log/log-follower.ts';
import {logStart, type LogPosition} from '../log/log-position.ts';
import {keepBlock, loadBlocks, type CallBlockFile} from './call-block-file.ts';
import {keyOf, nameNumber, OpenCallBlock, results, type CallBlock, type Column, type ReadCell} from './call-block.ts';
import {LaterRecordsOfCalls} from './later-records-of-calls.ts';
import {summarize} from './record-body.ts';
import type {CallLocations, RecordLocation} from './record-location.ts';

export interface CallIndexOptions {
  /** Where full blocks are kept. */
  readonly indexFolder: string;
  /** Distinguishes this process's temporary files. */
  readonly owner: string;
  /** Records of a full block. */
  readonly blockRecords: number;
}

export class CallIndex implements LineFold {
  readonly #options: CallIndexOptions;
  readonly #full: CallBlock[];
  #open: OpenCallBlock;
  #last: {readonly location: LineLocation; readonly bytes: number} | undefined;

  constructor(options: CallIndexOptions, kept: readonly CallBlockFile[] = []) {
    this.#options = options;
    this.#full = [...kept];
    this.#open = new OpenCallBlock(kept.at(-1)?.end.position ?? logStart);
  }

  /** What was kept of a log; undefined when that is nothing. */
  static load(
    options: CallIndexOptions,
    logFolder: string,
  ): {readonly fold: CallIndex; readonly position: LogPosition} | undefined {
    const blocks = loadBlocks(options.indexFolder, logFolder);
    const position = blocks.at(-1)?.end.position;
    return position === undefined ? undefined : {fold: new CallIndex(options, blocks), position};
  }

  add(line: Buffer, location: LineLocation): boolean {
    const record = summarize(line);
    if (record === undefined) return false;
    this.#closeSegment(location);
    this.#open.add(record, location, line.length);
    this.#last = {location, bytes: line.length};
    if (location.seq - this.#open.start.seq >= this.#options.blockRecords) this.#close(location, line.length);
    return true;
  }

  /** Of calls with the same id the oldest. */
  locationsOf(receiptId: string): CallLocations | undefined {
    const key = keyOf(receiptId);
    const later = new LaterRecordsOfCalls();
    let found: CallLocations | undefined;
    for (const block of this.#newestFirst()) {
      const row = block.rowOf(key);
      if (row >= 0) [found] = locationsIn(block, [row], later);
      if (block.hasLate(key)) later.take(block);
    }
    return found;
  }

  /** Newest first, `limit` at most. Names are compared by their hash: the reader of the records makes sure. */
  find(filter: EvidenceFilter, limit: number): readonly CallLocations[] {
    const {before_seq = Number.POSITIVE_INFINITY} = filter;
    const later = new LaterRecordsOfCalls();
    const found: CallLocations[] = [];
    for (const block of this.#newestFirst()) {
      if (found.length >= limit) break;
      if (block.firstSeq < before_seq) {
        const rows = matchingRows(block, filter, later).slice(0, limit - found.length);
        found.push(...locationsIn(block, rows, later));
      }
      later.take(block);
    }
    return found;
  }

  /** A block ends with its segment, at the latest: when the segment is archived, it need not be read for the calls after it. */
  #closeSegment({segment}: LineLocation): void {
    const last = this.#last;
    if (last === undefined || last.location.segment === segment || !Number.isFinite(this.#options.blockRecords)) return;
    if (last.location.seq > this.#open.start.seq) this.#close(last.location, last.bytes);
  }

  #newestFirst(): readonly CallBlock[] {
    return [this.#open, ...this.#full.toReversed()];
  }

  #close({segment, offset, seq, hash}: LineLocation, bytes: number): void {
    const {indexFolder, owner} = this.#options;
    const position = {segment, offset: offset + bytes + 1, seq, head: hash};
    this.#full.push(
      this.#keepOrBuffer(() => keepBlock(indexFolder, this.#open, {position, lastOffset: offset}, owner)),
    );
    this.#open = new OpenCallBlock(position);
  }

  #keepOrBuffer(keep: () => CallBlock): CallBlock {
    try {
      return keep();
    } catch {
      // Questions can be answered without the file: a disk that is full or read-only costs memory, not the answer.
      return this.#open;
    }
  }
}

/** The newest first. */
function matchingRows(block: CallBlock, filter: EvidenceFilter, later: LaterRecordsOfCalls): readonly number[] {
  const tests = [...nameTests(block, filter), ...timeTests(block, filter)];
  if (filter.result !== undefined) tests.push(resultTest(block, results.indexOf(filter.result), later));
  const rows: number[] = [];
  for (let row = block.column('startSeq').length - 1; row >= 0; row -= 1) {
    if (tests.every((test) => test(row))) rows.push(row);
  }
  return rows;
}

type RowTest = (row: number) => boolean;

function nameTests(block: CallBlock, {task_id, session_id, tool_name, by}: EvidenceFilter): RowTest[] {
  const wanted = [
    ['task', task_id],
    ['session', session_id],
    ['tool', tool_name],
    ['by', by],
  ] as const;
  return wanted.flatMap(([column, name]) => {
    if (name === undefined) return [];
    const [names, number] = [block.column(column), nameNumber(name)];
    return [(row: number) => names[row] === number];
  });
}

function timeTests(block: CallBlock, {since, until, before_seq}: EvidenceFilter): RowTest[] {
  const at = (numbers: Column, row: number): number => numbers[row] ?? 0;
  const startedMs = since === undefined && until === undefined ? [] : block.column('startedMs');
  const [sinceMs, untilMs] = [Date.parse(since ?? ''), Date.parse(until ?? '')];
  const tests: RowTest[] = [];
  if (since !== undefined) tests.push((row) => at(startedMs, row) >= sinceMs);
  if (until !== undefined) tests.push((row) => at(startedMs, row) <= untilMs);
  if (before_seq !== undefined) {
    const startSeq = block.column('startSeq');
    tests.push((row) => at(startSeq, row) < before_seq);
  }
  return tests;
}

function resultTest(block: CallBlock, wanted: number, later: LaterRecordsOfCalls): RowTest {
  const [result, key] = [block.column('result'), block.column('key')];
  return (row) => (result[row] || (later.of(key[row] ?? 0)?.result ?? 0)) === wanted;
}

function locationsIn(block: CallBlock, rows: readonly number[], later: LaterRecordsOfCalls): readonly CallLocations[] {
  if (rows.length === 0) return [];
  const progressCalls = block.column('progressCall');
  return block.withCells((cell) => {
    const progressOf = (row: number): readonly RecordLocation[] => {
      const progress: RecordLocation[] = [];
      for (let at = progressCalls.indexOf(row); at >= 0; at = progressCalls.indexOf(row, at + 1)) {
        progress.push(locationAt(cell, 'progress', at));
      }
      return progress;
    };
    return rows.map((row) => {
      const more = later.of(cell('key', row));
      const isOver = cell('result', row) !== 0;
      return {
        startSeq: cell('startSeq', row),
        started: locationAt(cell, 'start', row),
        progress: [...progressOf(row), ...(more?.progress.toReversed() ?? [])],
        finished: isOver ? locationAt(cell, 'end', row) : more?.finished,
      };
    });
  });
}

function locationAt(cell: ReadCell, which: 'start' | 'end' | 'progress', row: number): RecordLocation {
  return {
    segment: cell(`${which}Segment`, row),
    offset: cell(`${which}Offset`, row),
    bytes: cell(`${which}Bytes`, row),
  };
}
