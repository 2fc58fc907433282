// Answers questions about calls: locates their records and reads those that an answer needs.
import {isKernelError, KernelError, type EvidenceFilter, type EvidencePage, type Receipt} from '@lumenflow/kernel';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {closeSync, readSync} from 'node:fs';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {openStored} from '../archive/open-stored.ts';
import {readFrontier} from '../signed-log/frontier-file.ts';
import {LogFollower} from '../log/log-follower.ts';
import {parseLogPosition, type LogPosition} from '../log/log-position.ts';
import {segmentName, segmentPath} from '../log/segment-files.ts';
import {CallIndex, type CallIndexOptions} from './call-index.ts';
import {OpenCalls} from './open-calls.ts';
import type {CallLocations, RecordLocation} from './record-location.ts';

const limitDefault = 100;

export interface ReceiptReaderOptions {
  readonly folder: string;
  readonly archive: ArchiveReader;
  /** Where the newest checkpoint left the calls that were open. */
  readonly frontierPath: string;
  readonly index: CallIndexOptions;
}

export class ReceiptReader {
  readonly #folder: string;
  readonly #archive: ArchiveReader;
  readonly #index: LogFollower<CallIndex>;
  readonly #open: LogFollower<OpenCalls>;

  constructor({folder, archive, frontierPath, index}: ReceiptReaderOptions) {
    this.#folder = folder;
    this.#archive = archive;
    this.#index = new LogFollower({
      folder,
      archive,
      empty: () => new CallIndex(index),
      kept: () => CallIndex.load(index, folder),
    });
    this.#open = new LogFollower({
      folder,
      archive,
      empty: () => new OpenCalls(),
      kept: () => keptOpenCalls(frontierPath),
    });
  }

  async receipt(receiptId: string): Promise<Receipt | undefined> {
    const locations = await this.#ask((index) => index.locationsOf(receiptId));
    const [receipt] = locations === undefined ? [] : await this.#read([locations]);
    return receipt?.receipt_id === receiptId ? receipt : undefined;
  }

  /** The records of one call exactly as in the log, in order; none if there is no such call. */
  async lines(receiptId: string): Promise<readonly string[]> {
    const locations = await this.#ask((index) => index.locationsOf(receiptId));
    if (locations === undefined) return [];
    const {started, progress, finished} = locations;
    const all = [started, ...progress, ...(finished ? [finished] : [])];
    const ordered = all.toSorted((a, b) => a.segment - b.segment || a.offset - b.offset);
    return await this.#withLines((line) => {
      const own = ordered.filter(
        (location) => parseRecord(line(location), location, this.#folder).receipt_id === receiptId,
      );
      return own.includes(started) ? own.map((location) => line(location).toString()) : [];
    });
  }

  async page(filter: EvidenceFilter): Promise<EvidencePage> {
    const limit = Math.max(1, filter.limit ?? limitDefault);
    const found = await this.#ask((index) => index.find(filter, limit + 1));
    const last = found[limit - 1];
    const receipts = await this.#read(found.slice(0, limit));
    return {
      receipts: receipts.filter(({started}) => isOf(started, filter)),
      ...(found.length > limit && last && {next_before_seq: last.startSeq}),
    };
  }

  async openCalls(): Promise<readonly Receipt[]> {
    const open = await this.#open.current();
    return await this.#read(open.locations());
  }

  close(): void {
    this.#index.close();
    this.#open.close();
  }

  /** The index may be deleted while it is in use; it is then rebuilt. */
  async #ask<T>(question: (index: CallIndex) => T): Promise<T> {
    try {
      return question(await this.#index.current());
    } catch (error) {
      if (!isKernelError(error) || error.code !== 'LOG_UNAVAILABLE') throw error;
      this.#index.close();
      return question(await this.#index.current());
    }
  }

  async #read(calls: readonly CallLocations[]): Promise<readonly Receipt[]> {
    return await this.#withLines((line) => {
      const record = (location: RecordLocation): EvidenceRecord => parseRecord(line(location), location, this.#folder);
      return calls.map((locations) => receiptOf(locations, record));
    });
  }

  /** Lends a reader of lines, which opens each segment once. */
  async #withLines<T>(work: (line: (location: RecordLocation) => Buffer) => T): Promise<T> {
    const fds = new Map<number, number>();
    try {
      return await this.#archive.reading(() =>
        work(({segment, offset, bytes}) => {
          const fd = fds.get(segment) ?? openSegment(this.#folder, segment);
          fds.set(segment, fd);
          const line = Buffer.alloc(bytes);
          readSync(fd, line, 0, bytes, offset);
          return line;
        }),
      );
    } finally {
      for (const fd of fds.values()) closeSync(fd);
    }
  }
}

function openSegment(folder: string, segment: number): number {
  const fd = openStored(folder, segmentName(segment));
  if (fd !== undefined) return fd;
  throw new KernelError('LOG_UNAVAILABLE', `\`${segmentPath(folder, segment)}\` is missing`);
}

/** What the index found by a hash counts only when the record itself says so. */
function receiptOf(
  {started, progress, finished}: CallLocations,
  record: (location: RecordLocation) => EvidenceRecord,
): Receipt {
  const start = record(started) as Receipt['started'];
  const {receipt_id} = start;
  const own = (location: RecordLocation): readonly EvidenceRecord[] => {
    const found = record(location);
    return found.receipt_id === receipt_id ? [found] : [];
  };
  const [finish] = finished === undefined ? [] : own(finished);
  return {
    receipt_id,
    started: start,
    progress: progress.flatMap(own) as Receipt['progress'][number][],
    ...(finish && {finished: finish as NonNullable<Receipt['finished']>}),
  };
}

function parseRecord(line: Buffer, {segment, offset}: RecordLocation, folder: string): EvidenceRecord {
  try {
    return JSON.parse(line.toString()) as EvidenceRecord;
  } catch (cause) {
    const where = `\`${segmentPath(folder, segment)}\` at byte ${offset}`;
    throw new KernelError('LOG_CORRUPT', `${where} there is no record any more`, {cause});
  }
}

function isOf(started: Receipt['started'], {task_id, session_id, tool_name, by}: EvidenceFilter): boolean {
  return (
    (task_id === undefined || task_id === started.task_id) &&
    (session_id === undefined || session_id === started.session_id) &&
    (tool_name === undefined || tool_name === started.tool_name) &&
    (by === undefined || by === started.by)
  );
}

function keptOpenCalls(frontierPath: string): {readonly fold: OpenCalls; readonly position: LogPosition} | undefined {
  const frontier = readFrontier(frontierPath, parseLogPosition);
  const fold = new OpenCalls();
  return frontier !== undefined && fold.restore(frontier.companion) ? {fold, position: frontier.position} : undefined;
}
