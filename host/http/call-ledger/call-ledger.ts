// Follows the calls in the evidence log, and reads older calls on demand. It includes calls of other processes.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {setImmediate} from 'node:timers/promises';
import {createCallTally, type CallTally} from './call-tally.ts';

export interface CallLedger {
  readonly tally: Pick<CallTally, 'counts' | 'latencies' | 'minutes'>;
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
}

const receiptsAtOnce = 500;

export function createCallLedger({evidence}: Pick<KernelRuntime, 'evidence'>): CallLedger {
  const book = createBook();
  let newestStart: number | undefined;
  /**
   * Where the next backward read continues: before this seq, at calls that started no later than the time. Undefined at the start
   * of the log.
   */
  let back: {readonly before_seq?: number; readonly timestamp: string} | undefined = {timestamp: 'now'};

  async function readEnded(): Promise<void> {
    for (const [receiptId, reported] of book.open) {
      const receipt = await evidence.receipt(receiptId);
      if (receipt?.finished) book.publish(receipt);
      else if (receipt && receipt.progress.length > reported) book.reportProgress(receipt);
    }
  }

  async function readStarted(floor: number): Promise<void> {
    // Most polls find nothing new, and a page of receipts is long.
    const {
      receipts: [newest],
    } = await evidence.readTraces({limit: 1});
    if (newest === undefined || newest.started.seq <= floor) return;
    let before_seq: number | undefined;
    do {
      const page = await evidence.readTraces({limit: receiptsAtOnce, ...(before_seq !== undefined && {before_seq})});
      const fresh = page.receipts.filter(({started}) => started.seq > floor);
      newestStart = Math.max(newestStart ?? 0, fresh[0]?.started.seq ?? 0);
      for (const receipt of fresh.toReversed()) book.publish(receipt);
      before_seq = fresh.length < page.receipts.length ? undefined : page.next_before_seq;
    } while (before_seq !== undefined);
  }

  const readPageBack = shared(async () => {
    if (!back) return;
    const {timestamp: before, ...from} = back;
    const {receipts, next_before_seq} = await evidence.readTraces({limit: receiptsAtOnce, ...from});
    newestStart ??= receipts[0]?.started.seq ?? 0;
    for (const receipt of receipts) book.note(receipt);
    const timestamp = receipts.at(-1)?.started.timestamp ?? before;
    back = next_before_seq === undefined ? undefined : {before_seq: next_before_seq, timestamp};
    // Yields between blocks. A long log would otherwise block all other requests.
    await setImmediate();
  });
  const isReadBackTo = (until: string): boolean => back === undefined || back.timestamp < until;

  const refresh = shared(async () => {
    if (newestStart === undefined) return await readPageBack();
    await readEnded();
    await readStarted(newestStart);
  });

  return {
    tally: book.tally,
    refresh,
    async readBack(until = '') {
      await refresh();
      while (!isReadBackTo(until)) await readPageBack();
    },
    openCalls: () => book.open.size,
    lastSeq: book.lastSeq,
    subscribe: book.subscribe,
  };
}

interface Book extends Pick<CallLedger, 'tally' | 'lastSeq' | 'subscribe'> {
  /** Open calls by id, with the amount of progress that each has reported. */
  readonly open: ReadonlyMap<string, number>;
  note(receipt: Receipt): void;
  /** Also notifies listeners. */
  publish(receipt: Receipt): void;
  /** Progress of an open call changes no counter. */
  reportProgress(receipt: Receipt): void;
}

function createBook(): Book {
  const tally = createCallTally();
  const open = new Map<string, number>();
  const listeners = new Set<(receipt: Receipt) => void>();
  let lastSeq = 0;
  function note(receipt: Receipt): void {
    const {receipt_id, started, finished} = receipt;
    if (finished) open.delete(receipt_id);
    else open.set(receipt_id, receipt.progress.length);
    tally.add(receipt);
    lastSeq = Math.max(lastSeq, finished?.seq ?? started.seq);
  }
  return {
    tally,
    open,
    note,
    publish(receipt) {
      note(receipt);
      for (const listener of listeners) listener(receipt);
    },
    reportProgress(receipt) {
      open.set(receipt.receipt_id, receipt.progress.length);
      for (const listener of listeners) listener(receipt);
    },
    lastSeq: () => lastSeq,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Concurrent callers wait for the same read. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
