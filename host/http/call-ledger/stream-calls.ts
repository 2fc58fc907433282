// Streams recorded calls as server-sent events: when each starts, reports progress and ends.
import type {Receipt} from '@lumenflow/kernel';
import type {SharedPoll} from '../events/shared-poll.ts';
import type {CallLedger} from './call-ledger.ts';

export interface CallStreamOptions {
  readonly ledger: CallLedger;
  /** Refreshes the ledger. */
  readonly poll: Pick<SharedPoll, 'wait'>;
  isStillAllowed(): boolean;
  /** In milliseconds. */
  monotonic(): number;
  /** Any of them ends the stream. */
  readonly signals: readonly AbortSignal[];
}

const heartbeatMs = 15_000;
/** A client that reads too slowly misses the oldest calls. The list of receipts contains them all. */
const waitingMax = 1_000;

export async function* streamCalls({ledger, poll, signals, ...options}: CallStreamOptions): AsyncGenerator<string> {
  yield 'retry: 1000\n\n';
  await ledger.refresh();
  const waiting: Receipt[] = [];
  const unsubscribe = ledger.subscribe((receipt) => {
    waiting.push(receipt);
    if (waiting.length > waitingMax) waiting.shift();
  });
  try {
    let sentMs = options.monotonic();
    while (!signals.some((signal) => signal.aborted) && options.isStillAllowed()) {
      const text = waiting.splice(0).map(formatCall).join('');
      if (text !== '' || options.monotonic() - sentMs >= heartbeatMs) {
        sentMs = options.monotonic();
        yield text === '' ? ': still here\n\n' : text;
      }
      await poll.wait(signals);
    }
  } finally {
    unsubscribe();
  }
}

/** Only the last progress report of an open call, because all of it can be long. The receipt's page shows the rest. */
const progressMax = 40;

function formatCall({receipt_id, started, finished, progress}: Receipt): string {
  const call = {
    receipt_id,
    started,
    ...(finished && {finished}),
    progress: finished ? [] : progress.slice(-progressMax),
  };
  return `event: call\ndata: ${JSON.stringify(call)}\n\n`;
}
