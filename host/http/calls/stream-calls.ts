// Calls as they are recorded, as server-sent events: each when it is first seen, while its tool reports, and when it has ended.
import type {Receipt} from '@lumenflow/kernel';
import type {EventFeed} from '../events/event-feed.ts';
import type {CallLedger} from './call-ledger.ts';

export interface CallStreamOptions {
  readonly ledger: CallLedger;
  readonly feed: Pick<EventFeed, 'wait'>;
  isStillAllowed(): boolean;
  /** In milliseconds. */
  monotonic(): number;
  /** Any of them ends the stream. */
  readonly signals: readonly AbortSignal[];
}

const pollMs = 300;
const heartbeatMs = 15_000;
/** A client that reads more slowly than calls come misses the oldest: the list of receipts has them all. */
const waitingMax = 1_000;

export async function* streamCalls({ledger, feed, signals, ...options}: CallStreamOptions): AsyncGenerator<string> {
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
      await ledger.refresh();
      const text = waiting.splice(0).map(formatCall).join('');
      if (text !== '' || options.monotonic() - sentMs >= heartbeatMs) {
        sentMs = options.monotonic();
        yield text === '' ? ': still here\n\n' : text;
      }
      await feed.wait(pollMs, signals);
    }
  } finally {
    unsubscribe();
  }
}

/** What an open call reported last: all of it may be long, and is on the receipt's page. */
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
