// Follows the calls in the evidence log, and reads older calls on demand. It includes calls of other processes.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {setImmediate} from 'node:timers/promises';
import {createCallBook, type CallBook} from './call-book.ts';
import type {CallTally} from './call-tally.ts';
import type {KeptCounts, KeptStore, NewestCall} from './kept-counts.ts';

export interface CallLedger {
  readonly tally: Pick<CallTally, 'counts' | 'latencies' | 'minutes'>;
  /** Whether the counters include all calls of the log. */
  isWhole(): boolean;
  /** Reads new records. Concurrent callers share one read. */
  refresh(): Promise<void>;
  /** Also reads older calls, newest first, back to this time (UTC, ISO 8601) or to the start of the log. */
  readBack(until?: string): Promise<void>;
  /** Calls that were started and have not ended. */
  openCalls(): number;
  /** Seq of the newest record that was read. */
  lastSeq(): number;
  /**
   * Notifies the listener of each new call, of its tool's progress, and of its end. Returns a function that ends the
   * subscription.
   */
  subscribe(listener: (receipt: Receipt) => void): () => void;
  /** Keeps the counters for the next start, if they include all calls. */
  keep(): Promise<void>;
  /** Ends reading that is under way. */
  close(): void;
}

const receiptsAtOnce = 500;

/** What reading forward and reading back share. */
interface Reading {
  readonly evidence: KernelRuntime['evidence'];
  readonly book: CallBook;
  /** Undefined before the first page. */
  newest: NewestCall | undefined;
}

export function createCallLedger({evidence}: Pick<KernelRuntime, 'evidence'>, store?: KeptStore): CallLedger {
  const book = createCallBook();
  const reading: Reading = {evidence, book, newest: undefined};
  const back = createBackwardReader(reading, store);
  const closing = new AbortController();
  let isRefreshing = false;

  const refresh = shared(async () => {
    if (reading.newest === undefined) return await back.readPage();
    isRefreshing = true;
    try {
      await readEnded(reading);
      await readStarted(reading, reading.newest.seq);
    } finally {
      isRefreshing = false;
    }
  });

  return {
    tally: book.tally,
    isWhole: back.isAtStart,
    refresh,
    async readBack(until = '') {
      await refresh();
      while (!back.isBackTo(until) && !closing.signal.aborted) await back.readPage();
    },
    openCalls: () => book.open.size,
    lastSeq: book.lastSeq,
    subscribe: book.subscribe,
    async keep() {
      const {newest} = reading;
      if (!back.isAtStart() || isRefreshing || newest === undefined || newest === noCall) return;
      const {receipt_id, seq, prev} = newest;
      await store?.write({newest: {receipt_id, seq, prev}, book: book.counted()});
    },
    close: () => closing.abort(),
  };
}

async function readEnded({evidence, book}: Reading): Promise<void> {
  for (const [receiptId, reported] of book.open) {
    const receipt = await evidence.receipt(receiptId);
    if (receipt?.finished) book.publish(receipt);
    else if (receipt && receipt.progress.length > reported) book.reportProgress(receipt);
  }
}

async function readStarted(reading: Reading, floor: number): Promise<void> {
  const {evidence, book} = reading;
  // Most polls find nothing new, and a page of receipts is long.
  const {
    receipts: [first],
  } = await evidence.readTraces({limit: 1});
  if (first === undefined || first.started.seq <= floor) return;
  let before_seq: number | undefined;
  do {
    const page = await evidence.readTraces({limit: receiptsAtOnce, ...(before_seq !== undefined && {before_seq})});
    const fresh = page.receipts.filter(({started}) => started.seq > floor);
    const [{started} = first] = fresh;
    if (reading.newest === undefined || started.seq > reading.newest.seq) reading.newest = started;
    for (const receipt of fresh.toReversed()) book.publish(receipt);
    before_seq = fresh.length < page.receipts.length ? undefined : page.next_before_seq;
  } while (before_seq !== undefined);
}

interface BackwardReader {
  /** Concurrent callers share one read. */
  readPage(): Promise<void>;
  isBackTo(until: string): boolean;
  /** Whether all calls were read. */
  isAtStart(): boolean;
}

function createBackwardReader(reading: Reading, store: KeptStore | undefined): BackwardReader {
  const {evidence, book} = reading;
  /**
   * Where the next backward read continues: before this seq, at calls that started no later than the time. Undefined at the start
   * of the log.
   */
  let back: {readonly before_seq?: number; readonly timestamp: string} | undefined = {timestamp: 'now'};
  /** What was counted before this start, and how far: reading back ends there. */
  let kept: KeptCounts | undefined;

  /** Counters of another log, or of one that was restored from a backup, fit no call of this one. */
  async function readKept(): Promise<void> {
    const found = await store?.read();
    const same = found && (await evidence.receipt(found.newest.receipt_id))?.started;
    if (same?.seq === found?.newest.seq && same?.prev === found?.newest.prev) kept = found;
  }

  const readPage = shared(async () => {
    if (!back) return;
    const {timestamp: before, ...from} = back;
    if (reading.newest === undefined) await readKept();
    const floor = kept?.newest.seq ?? 0;
    const {receipts, next_before_seq} = await evidence.readTraces({limit: receiptsAtOnce, ...from});
    reading.newest ??= receipts[0]?.started ?? noCall;
    const uncounted = receipts.filter(({started}) => started.seq > floor);
    for (const receipt of uncounted) book.note(receipt);
    const timestamp = receipts.at(-1)?.started.timestamp ?? before;
    const isAtEnd = next_before_seq === undefined || uncounted.length < receipts.length;
    if (isAtEnd && kept) book.add(kept.book);
    back = isAtEnd ? undefined : {before_seq: next_before_seq, timestamp};
    // Yields between blocks. A long log would otherwise block all other requests.
    await setImmediate();
  });
  return {
    readPage,
    isBackTo: (until) => back === undefined || back.timestamp < until,
    isAtStart: () => back === undefined,
  };
}

/** The newest of an empty log. */
const noCall: NewestCall = {receipt_id: '', seq: 0, prev: ''};

/** Concurrent callers wait for the same read. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
