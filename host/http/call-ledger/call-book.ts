// What was read of the log: calls that have ended are counted, open ones are kept by name, and listeners receive what is new.
import type {Receipt} from '@lumenflow/kernel';
import {createCallTally, type CallTally, type CountedCalls} from './call-tally.ts';

/** The state of a book, as it is kept for the next start. */
export interface CountedBook {
  readonly calls: CountedCalls;
  /** Open calls, with the amount of progress that each has reported. */
  readonly open: readonly (readonly [receiptId: string, reported: number])[];
  readonly last_seq: number;
}

export interface CallBook {
  readonly tally: CallTally;

  /** Open calls by id, with the amount of progress that each has reported. */
  readonly open: ReadonlyMap<string, number>;
  note(receipt: Receipt): void;
  /** Also notifies listeners. */
  publish(receipt: Receipt): void;
  /** Progress of an open call changes no counter. */
  reportProgress(receipt: Receipt): void;
  /** Adds what another book counted, of calls that this one has not noted. */
  add(other: CountedBook): void;
  counted(): CountedBook;
  /** Seq of the newest record that was noted. */
  lastSeq(): number;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (receipt: Receipt) => void): () => void;
}

export function createCallBook(): CallBook {
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
    add({calls, open: stillOpen, last_seq}) {
      tally.addCounted(calls);
      for (const [id, reported] of stillOpen) open.set(id, reported);
      lastSeq = Math.max(lastSeq, last_seq);
    },
    counted: () => ({calls: tally.counted(), open: [...open], last_seq: lastSeq}),
    lastSeq: () => lastSeq,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
