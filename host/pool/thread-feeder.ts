// Hands the calls that wait to the threads that are free, and sees that none waits behind a slow one.
import {batchMs, type CallQueue} from './call-queue.ts';
import {createThreadBatch, type ThreadBatch} from './thread-batch.ts';

export interface ThreadFeederOptions {
  readonly threadsMax: number;
  readonly queue: CallQueue;
  /** What the threads have now. */
  readonly batches: readonly ThreadBatch[];
  /** Gives the batch to a free thread; it stands in `batches` until it has ended. */
  runBatch(batch: ThreadBatch): void;
}

/** The function to call when a call has come or a thread is free. */
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

  /** A thread had nothing to do for as long as a batch is to take: it gets what waits behind another's calls. */
  function relieve(): void {
    relief = undefined;
    if (batches.length < threadsMax) queue.putBack(batches.flatMap((batch) => batch.takeBack()));
    feed();
  }

  return () => {
    if (isFeeding) return;
    // A lone call goes to a thread at once; others when the turn is over, so that those which come together go together.
    if (batches.length === 0) return feed();
    isFeeding = true;
    process.nextTick(feed);
  };
}
