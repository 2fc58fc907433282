// What the evidence log says of calls: followed from the newest on, and read back as far as somebody asks. Calls of other
// processes are in it as well.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {setImmediate} from 'node:timers/promises';
import {createCallTally, type CallTally} from './call-tally.ts';

export interface CallLedger {
  readonly tally: Pick<CallTally, 'counts' | 'latencies' | 'minutes'>;
  /** Reads what is new; those who ask meanwhile share the reading. */
  refresh(): Promise<void>;
  /** Also reads what was there before, newest first, until calls older than this (UTC, ISO 8601); without it, all. */
  readBack(until?: string): Promise<void>;
  /** Calls that were started and have not ended. */
  openCalls(): number;
  /** Seq of the newest record that was seen. */
  lastSeq(): number;
  /** Hears each new call when it is first seen, when its tool has reported more, and when it has ended. Gives the function that ends the subscription. */
  subscribe(listener: (receipt: Receipt) => void): () => void;
}

const receiptsAtOnce = 500;

export function createCallLedger({evidence}: Pick<KernelRuntime, 'evidence'>): CallLedger {
  const book = createBook();
  let newestStart: number | undefined;
  /** Where reading back goes on: at calls before this seq, none of which began after the time; undefined at the log's beginning. */
  let back: {readonly before_seq?: number; readonly timestamp: string} | undefined = {timestamp: 'now'};

  async function readEnded(): Promise<void> {
    for (const [receiptId, reported] of book.open) {
      const receipt = await evidence.receipt(receiptId);
      if (receipt?.finished) book.tell(receipt);
      else if (receipt && receipt.progress.length > reported) book.tellProgress(receipt);
    }
  }

  async function readStarted(floor: number): Promise<void> {
    let before_seq: number | undefined;
    do {
      const page = await evidence.readTraces({limit: receiptsAtOnce, ...(before_seq !== undefined && {before_seq})});
      const fresh = page.receipts.filter(({started}) => started.seq > floor);
      newestStart = Math.max(newestStart ?? 0, fresh[0]?.started.seq ?? 0);
      for (const receipt of fresh.toReversed()) book.tell(receipt);
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
    // A long log is read in one go otherwise, with nobody else served meanwhile.
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
  /** Calls that have not ended: how much each has reported, by id. */
  readonly open: ReadonlyMap<string, number>;
  note(receipt: Receipt): void;
  /** Also to those who listen. */
  tell(receipt: Receipt): void;
  /** An open call has reported more: nothing is counted anew. */
  tellProgress(receipt: Receipt): void;
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
    tell(receipt) {
      note(receipt);
      for (const listener of listeners) listener(receipt);
    },
    tellProgress(receipt) {
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

/** Those who ask while it is under way wait for the same. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
