// Answers questions about calls: keeps the index up with the log and reads the records that an answer needs.
import {KernelError, type EvidenceFilter, type EvidencePage, type Receipt} from '@lumenflow/kernel';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {closeSync, openSync, readSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {LogCursor} from '../log/log-cursor.ts';
import {segmentPath} from '../log/segment-files.ts';
import {CallIndex, type CallPlaces, type RecordPlace} from './call-index.ts';
import {summarize} from './record-body.ts';

/** Records indexed before others get their turn. */
const recordsPerTurn = 1_000;
const limitDefault = 100;

export class ReceiptReader {
  readonly #folder: string;
  #index = new CallIndex();
  #cursor: LogCursor;
  #updating: Promise<void> | undefined;

  constructor(options: {readonly folder: string}) {
    this.#folder = options.folder;
    this.#cursor = new LogCursor(options);
  }

  async receipt(receiptId: string): Promise<Receipt | undefined> {
    await this.#update();
    const places = this.#index.placesOf(receiptId);
    return places === undefined ? undefined : this.#read([places])[0];
  }

  async page(filter: EvidenceFilter): Promise<EvidencePage> {
    await this.#update();
    const limit = Math.max(1, filter.limit ?? limitDefault);
    const found = this.#index.find(filter, limit + 1);
    const last = found[limit - 1];
    return {
      receipts: this.#read(found.slice(0, limit)),
      ...(found.length > limit && last && {next_before_seq: last.startSeq}),
    };
  }

  async openCalls(): Promise<readonly Receipt[]> {
    await this.#update();
    return this.#read(this.#index.openCalls());
  }

  close(): void {
    this.#cursor.close();
  }

  /** Questions that meet share one look at the log; a later one looks again. */
  async #update(): Promise<void> {
    await this.#updating;
    this.#updating ??= this.#catchUp().finally(() => {
      this.#updating = undefined;
    });
    await this.#updating;
  }

  async #catchUp(): Promise<void> {
    let reason = await this.#advance();
    if (reason === undefined) return;
    // Lines may have been read that a failed write took back: from the start on, the log must be what it seems.
    this.#index = new CallIndex();
    this.#cursor.close();
    this.#cursor = new LogCursor({folder: this.#folder});
    reason = await this.#advance();
    if (reason !== undefined) throw new KernelError('LOG_CORRUPT', reason);
  }

  /** Gives what is wrong, if anything is. */
  async #advance(): Promise<string | undefined> {
    for (;;) {
      const stop = this.#cursor.advance((line, place) => {
        const record = summarize(line);
        if (record === undefined) return false;
        this.#index.add(record, place, line.length);
        return true;
      }, recordsPerTurn);
      const {segment, seq} = this.#cursor.position;
      if (stop.kind === 'wrong')
        return `\`${segmentPath(this.#folder, segment)}\` line ${seq - segment + 2} ${stop.reason}`;
      if (stop.kind !== 'limit') return undefined;
      await nextTurn();
    }
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
