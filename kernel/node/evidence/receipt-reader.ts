// Answers questions about calls: finds where their records stand and reads those that an answer needs.
import type {EvidenceFilter, EvidencePage, Receipt} from '@lumenflow/kernel';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {closeSync, openSync, readSync} from 'node:fs';
import {readFrontier} from '../checkpoints/frontier-file.ts';
import {LogFollower} from '../log/log-follower.ts';
import type {LogPosition} from '../log/log-position.ts';
import {segmentPath} from '../log/segment-files.ts';
import {CallIndex, type CallPlaces, type RecordPlace} from './call-index.ts';
import {OpenCalls} from './open-calls.ts';

const limitDefault = 100;

export interface ReceiptReaderOptions {
  readonly folder: string;
  /** Where the newest checkpoint left the calls that were open. */
  readonly frontierPath: string;
}

export class ReceiptReader {
  readonly #folder: string;
  readonly #index: LogFollower<CallIndex>;
  readonly #open: LogFollower<OpenCalls>;

  constructor({folder, frontierPath}: ReceiptReaderOptions) {
    this.#folder = folder;
    this.#index = new LogFollower({folder, empty: () => new CallIndex()});
    this.#open = new LogFollower({folder, empty: () => new OpenCalls(), kept: () => keptOpenCalls(frontierPath)});
  }

  async receipt(receiptId: string): Promise<Receipt | undefined> {
    const index = await this.#index.current();
    const places = index.placesOf(receiptId);
    return places === undefined ? undefined : this.#read([places])[0];
  }

  async page(filter: EvidenceFilter): Promise<EvidencePage> {
    const index = await this.#index.current();
    const limit = Math.max(1, filter.limit ?? limitDefault);
    const found = index.find(filter, limit + 1);
    const last = found[limit - 1];
    return {
      receipts: this.#read(found.slice(0, limit)),
      ...(found.length > limit && last && {next_before_seq: last.startSeq}),
    };
  }

  async openCalls(): Promise<readonly Receipt[]> {
    const open = await this.#open.current();
    return this.#read(open.places());
  }

  close(): void {
    this.#index.close();
    this.#open.close();
  }

  #read(calls: readonly CallPlaces[]): readonly Receipt[] {
    const fds = new Map<number, number>();
    const record = ({segment, offset, bytes}: RecordPlace): EvidenceRecord => {
      const fd = fds.get(segment) ?? openSync(segmentPath(this.#folder, segment), 'r');
      fds.set(segment, fd);
      const line = Buffer.allocUnsafe(bytes);
      readSync(fd, line, 0, bytes, offset);
      return JSON.parse(line.toString()) as EvidenceRecord;
    };
    try {
      return calls.map(({started, progress, finished}) => {
        const start = record(started) as Receipt['started'];
        return {
          receipt_id: start.receipt_id,
          started: start,
          progress: progress.map((place) => record(place) as Receipt['progress'][number]),
          ...(finished && {finished: record(finished) as NonNullable<Receipt['finished']>}),
        };
      });
    } finally {
      for (const fd of fds.values()) closeSync(fd);
    }
  }
}

function keptOpenCalls(frontierPath: string): {readonly fold: OpenCalls; readonly position: LogPosition} | undefined {
  const frontier = readFrontier(frontierPath);
  const fold = new OpenCalls();
  return frontier !== undefined && fold.restore(frontier.companion) ? {fold, position: frontier.position} : undefined;
}
