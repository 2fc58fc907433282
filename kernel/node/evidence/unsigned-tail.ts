// The records that no checkpoint covers yet, and evidence that their contents were on disk. A loss of power may leave such a record
// and destroy its content. It cannot destroy what a checkpoint covers, or what a call waited for. If a durable call has a record
// after its start, everything up to the start was on disk.
import type {EvidenceRecord} from '@lumenflow/schemas';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {isOfAnotherBoot} from '../lock/process-registry.ts';
import type {LineLocation} from '../log/log-cursor.ts';
import {LogFollower, type LineFold} from '../log/log-follower.ts';
import type {LogPosition} from '../log/log-position.ts';
import {refsOf} from './refs-of.ts';

interface TailContent {
  readonly seq: number;
  readonly receipt_id: string;
  readonly ref: string;
  /** Whether its call ran in an earlier boot; undefined of one that began before the tail. */
  readonly isEarlier: boolean | undefined;
}

export interface UnsignedTailOptions {
  /** Records that the newest checkpoint covers. */
  readonly signed: number;
  /** The process that asks. */
  readonly processId: string;
  /** Must be called for each line. */
  readonly onLine: (line: Buffer) => void;
}

export class UnsignedTail implements LineFold {
  readonly #options: UnsignedTailOptions;
  readonly #contents: TailContent[] = [];
  /** Of calls that had to be durable, and began in the tail. */
  readonly #durableStarts = new Map<string, number>();
  /** Of calls that began in the tail, whether in an earlier boot. */
  readonly #earlier = new Map<string, boolean>();
  #onDisk = 0;

  constructor(options: UnsignedTailOptions) {
    this.#options = options;
  }

  /** Reads everything after the newest checkpoint, from a stored position at or before it if there is one. */
  static async read(
    options: UnsignedTailOptions,
    {
      folder,
      from,
      archive,
    }: {readonly folder: string; readonly from: LogPosition | undefined; readonly archive: ArchiveReader},
  ): Promise<UnsignedTail> {
    const empty = (): UnsignedTail => new UnsignedTail(options);
    const kept = (): {fold: UnsignedTail; position: LogPosition} | undefined => from && {fold: empty(), position: from};
    const follower = new LogFollower({folder, archive, empty, kept});
    try {
      return await follower.current();
    } finally {
      follower.close();
    }
  }

  add(line: Buffer, {seq}: LineLocation): boolean {
    if (seq <= this.#options.signed) return true;
    this.#options.onLine(line);
    const record = parseOrUndefined(line);
    if (record === undefined) return false;
    this.#learn(record, seq);
    const {receipt_id} = record;
    const isEarlier = this.#earlier.get(receipt_id);
    for (const ref of refsOf(record)) this.#contents.push({seq, receipt_id, ref, isEarlier});
    return true;
  }

  /** Contents of calls that may be from earlier boots, without evidence that they were on disk. */
  exposed(): readonly TailContent[] {
    return this.#contents.filter(({seq, isEarlier}) => seq > this.#onDisk && isEarlier !== false);
  }

  /** Whether the machine may have lost its power since this call was recorded: its process ran in an earlier boot. */
  mayHaveLost({process_id}: Extract<EvidenceRecord, {type: 'tool_call_started'}>): boolean {
    return isOfAnotherBoot(process_id, this.#options.processId);
  }

  #learn(record: EvidenceRecord, seq: number): void {
    const {receipt_id} = record;
    if (record.type === 'tool_call_started') {
      this.#earlier.set(receipt_id, this.mayHaveLost(record));
      if (record.durable === true) this.#durableStarts.set(receipt_id, seq);
      return;
    }
    const start = this.#durableStarts.get(receipt_id);
    // The process that closes a call after a crash did not wait for it.
    const isOwn = record.type === 'tool_call_progress' || record.result !== 'crashed';
    if (start !== undefined && isOwn) this.#onDisk = Math.max(this.#onDisk, start);
  }
}

function parseOrUndefined(line: Buffer): EvidenceRecord | undefined {
  try {
    return JSON.parse(line.toString()) as EvidenceRecord;
  } catch {
    // The caller takes it for what it is: not a record.
    return undefined;
  }
}
