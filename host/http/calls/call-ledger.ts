// What the evidence log says of calls, read on from where it was read to: calls of other processes are in it as well.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {createCallTally, type CallTally} from './call-tally.ts';

export interface CallLedger {
  readonly tally: Pick<CallTally, 'counts' | 'latencies' | 'minutes'>;
  /** Reads what is new; those who ask meanwhile share the reading. */
  refresh(): Promise<void>;
  /** Calls that were started and have not ended. */
  openCalls(): number;
  /** Seq of the newest record that was seen. */
  lastSeq(): number;
  /** Hears each call when it is first seen and again when it has ended. Gives the function that ends the subscription. */
  subscribe(listener: (receipt: Receipt) => void): () => void;
}

const receiptsAtOnce = 500;

export function createCallLedger({evidence}: Pick<KernelRuntime, 'evidence'>): CallLedger {
  const tally = createCallTally();
  const open = new Set<string>();
  const listeners = new Set<(receipt: Receipt) => void>();
  let newestStart = 0;
  let lastSeq = 0;
  let underWay: Promise<void> | undefined;

  function note(receipt: Receipt): void {
    const {receipt_id, started, finished} = receipt;
    if (finished) open.delete(receipt_id);
    else open.add(receipt_id);
    tally.add(receipt);
    lastSeq = Math.max(lastSeq, finished?.seq ?? started.seq);
    for (const listener of listeners) listener(receipt);
  }

  async function noteEnded(): Promise<void> {
    for (const receiptId of open) {
      const receipt = await evidence.receipt(receiptId);
      if (receipt?.finished) note(receipt);
    }
  }

  async function noteStarted(): Promise<void> {
    const floor = newestStart;
    let before_seq: number | undefined;
    do {
      const page = await evidence.readTraces({limit: receiptsAtOnce, ...(before_seq !== undefined && {before_seq})});
      const fresh = page.receipts.filter(({started}) => started.seq > floor);
      newestStart = Math.max(newestStart, fresh[0]?.started.seq ?? 0);
      for (const receipt of fresh.toReversed()) note(receipt);
      before_seq = fresh.length < page.receipts.length ? undefined : page.next_before_seq;
    } while (before_seq !== undefined);
  }

  return {
    tally,
    refresh() {
      underWay ??= noteEnded()
        .then(noteStarted)
        .finally(() => {
          underWay = undefined;
        });
      return underWay;
    },
    openCalls: () => open.size,
    lastSeq: () => lastSeq,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
