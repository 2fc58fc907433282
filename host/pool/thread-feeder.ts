// Sends queued calls to free threads, and moves calls that wait behind a slow one.
import {batchMs, type CallQueue} from './call-queue.ts';
import {createThreadBatch, type ThreadBatch} from './thread-batch.ts';

export interface ThreadFeederOptions {
  readonly threadsMax: number;
  readonly queue: CallQueue;
  /** The batches that threads run now. */
  readonly batches: readonly ThreadBatch[];
  /** Sends the batch to a free thread; it is in `batches` until it has ended. */
  runBatch(batch: ThreadBatch): void;
}

/** Returns the function to call when a call arrives or a thread becomes free. */
export function createThreadFeeder({threadsMax, queue, batches, runBatch}: ThreadFeederOptions): () => void {
  let isFeeding = false;
  let relief: NodeJS.Timeout | undefined;

  function feed(): void {
    isFeeding = false;
    for (let free = threadsMax - batches.length; free > 0; free -= 1) {
      const calls = queue.takeBatch(free);
      if (calls.length > 0) runBatch(createThreadBatch(calls));
      else if (batches.some((batch) => batch.hasWaiting())) relief ??= setTimeout(relieve, batchMs);
    }
  }

  /** A thread was idle for a whole batch duration: it receives the calls that wait behind another thread's call. */
  function relieve(): void {
    relief = undefined;
    if (batches.length < threadsMax) queue.putBack(batches.flatMap((batch) => batch.takeBack()));
    feed();
  }

  return () => {
    if (isFeeding) return;
    // A single call is sent immediately; others at the end of the turn, so that concurrent calls form a batch.
    if (batches.length === 0) return feed();
    isFeeding = true;
    process.nextTick(feed);
  };
}
