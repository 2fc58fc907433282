// Counters of calls, kept in a file between two starts, so that the first scrape reads only what is newer. The file can be deleted.
import {readFile} from 'node:fs/promises';
import {writeWhole} from '../../write-whole.ts';
import type {CountedBook} from './call-book.ts';
import {latencyBoundsMs} from './latency-histogram.ts';

/** A call's first record. Its `prev` is the hash of all lines before it. */
export interface NewestCall {
  readonly receipt_id: string;
  readonly seq: number;
  readonly prev: string;
}

export interface KeptCounts {
  /** The newest call that was counted or is open. */
  readonly newest: NewestCall;
  readonly book: CountedBook;
}

export interface KeptStore {
  /** Undefined without a file, or if another version wrote it. */
  read(): Promise<KeptCounts | undefined>;
  write(kept: KeptCounts): Promise<void>;
}

const fileName = 'call-counts.json';
/** A file of another form, or with other bounds of durations, is not read. */
const form = {version: 1, bounds_ms: latencyBoundsMs};

export function createKeptStore(folder: string): KeptStore {
  return {
    async read() {
      try {
        const {form: found, kept} = JSON.parse(await readFile(`${folder}/${fileName}`, 'utf8')) as Partial<KeptFile>;
        return JSON.stringify(found) === JSON.stringify(form) && isKept(kept) ? kept : undefined;
      } catch {
        // Absent, unreadable or incomplete: everything is counted again.
        return undefined;
      }
    },
    write: (kept) => writeWhole(folder, fileName, JSON.stringify({form, kept} satisfies KeptFile)),
  };
}

interface KeptFile {
  readonly form: typeof form;
  readonly kept: KeptCounts;
}

/** The form was compared before; this finds files that were edited or cut. */
function isKept(kept: KeptCounts | undefined): kept is KeptCounts {
  if (typeof kept?.newest?.receipt_id !== 'string' || !Number.isSafeInteger(kept.newest.seq)) return false;
  const {calls, open, last_seq} = kept.book;
  const histograms = [
    ...calls.latencies.map(([, histogram]) => histogram),
    ...calls.minutes.map((each) => each.latencies),
  ];
  return (
    Number.isSafeInteger(last_seq) &&
    calls.counts.every(({tool, count}) => typeof tool === 'string' && count > 0) &&
    calls.minutes.every(({minute, calls: count}) => typeof minute === 'string' && count > 0) &&
    histograms.every(({counts, count}) => counts.length === latencyBoundsMs.length + 1 && Number.isFinite(count)) &&
    open.every(([id, reported]) => typeof id === 'string' && Number.isSafeInteger(reported))
  );
}
