// The first lines of a log, once they are in the archive.
import {KernelError} from '@lumenflow/kernel';
import type {LogName} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';
import type {ArchivedObject, ArchivedObjects} from './archived-objects.ts';

interface Segment extends ArchivedObject {
  readonly first: number;
  readonly last: number;
}

interface SegmentRow {
  readonly first_seq: string;
  readonly last_seq: string;
  readonly archive: string;
  readonly key: string;
  readonly sha256: string;
}

const newline = 0x0a;
const hashBytes = 32;

export class ArchivedLines {
  readonly #database: Database;
  readonly #log: LogName;
  readonly #objects: ArchivedObjects;
  /** In order. What is archived stays so. */
  readonly #segments: Segment[] = [];

  constructor(database: Database, log: LogName, objects: ArchivedObjects) {
    this.#database = database;
    this.#log = log;
    this.#objects = objects;
  }

  /** The last line that is known to be archived; 0 if there is none. */
  get through(): number {
    return this.#segments.at(-1)?.last ?? 0;
  }

  /** Asks the database for segments that other processes have archived. */
  async refresh(): Promise<number> {
    const rows = await this.#database.ask<SegmentRow>({
      name: 'archived-segments',
      text: 'select first_seq, last_seq, archive, key, sha256 from archived_segments where log = $1 and first_seq > $2 order by first_seq',
      values: [this.#log, this.through],
    });
    for (const {first_seq, last_seq, ...object} of rows) {
      // Several requests may ask at once.
      if (Number(first_seq) > this.through) {
        this.#segments.push({...object, first: Number(first_seq), last: Number(last_seq)});
      }
    }
    return this.through;
  }

  /** Lines after `seq`, at most `limit` and all of one segment. Rejects with KernelError LOG_UNAVAILABLE, LOG_CORRUPT. */
  async after(seq: number, limit: number): Promise<readonly string[]> {
    const segment = await this.#segmentOf(seq + 1);
    if (segment === undefined) return [];
    return textLines(await this.#objects.get(segment), {first: seq + 1 - segment.first, limit});
  }

  /** The lines of these numbers, by number. Rejects with KernelError LOG_UNAVAILABLE, LOG_CORRUPT. */
  async all(seqs: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>();
    for (const seq of seqs) {
      const [line] = await this.after(seq - 1, 1);
      if (line !== undefined) found.set(seq, line);
      else throw new KernelError('LOG_CORRUPT', `${this.#database.location} ${this.#log} line ${seq} is missing`);
    }
    return found;
  }

  /** SHA-256, in hex, of lines after `seq`, at most `limit`; needs no archive. */
  async hashesAfter(seq: number, limit: number): Promise<readonly string[]> {
    const segment = await this.#segmentOf(seq + 1);
    if (segment === undefined) return [];
    const [row] = await this.#database.ask<{hashes: Buffer}>({
      name: 'hashes-of-segment',
      text: 'select substring(hashes from $3::int for $4::int) as hashes from archived_segments where log = $1 and first_seq = $2',
      values: [this.#log, segment.first, (seq + 1 - segment.first) * hashBytes + 1, limit * hashBytes],
    });
    const hex = row?.hashes.toString('hex') ?? '';
    return Array.from({length: hex.length / (2 * hashBytes)}, (_, at) =>
      hex.slice(at * 2 * hashBytes, (at + 1) * 2 * hashBytes),
    );
  }

  async #segmentOf(seq: number): Promise<Segment | undefined> {
    if (seq > this.through) await this.refresh();
    let [low, high] = [0, this.#segments.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const segment = this.#segments[middle];
      if (segment === undefined || (seq >= segment.first && seq <= segment.last)) return segment;
      if (seq < segment.first) high = middle - 1;
      else low = middle + 1;
    }
    return undefined;
  }
}

/** Where each line of an object ends: reading one line must not search all before it. */
const ends = new WeakMap<Buffer, readonly number[]>();

function endsIn(bytes: Buffer): readonly number[] {
  const known = ends.get(bytes);
  if (known !== undefined) return known;
  const found: number[] = [];
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, end + 1)) found.push(end);
  ends.set(bytes, found);
  return found;
}

/** Lines of a segment without their newlines; `first` counts from 0. */
function textLines(bytes: Buffer, {first, limit}: {readonly first: number; readonly limit: number}): readonly string[] {
  const all = endsIn(bytes);
  const start = first === 0 ? 0 : (all[first - 1] ?? bytes.length) + 1;
  return all.slice(first, first + limit).map((end, at) => {
    const from = at === 0 ? start : (all[first + at - 1] ?? 0) + 1;
    return bytes.toString('utf8', from, end);
  });
}
