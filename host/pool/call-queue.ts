// The FIFO queue of calls that wait for a thread. It also decides how many of them a free thread receives.
import type {PooledCall} from './pooled-call.ts';

/** Maximum number of calls in a batch. */
const batchMax = 64;
/** Target duration of a batch: short calls are batched. */
export const batchMs = 1;
/** Weight of the newest batch in the average call duration. */
const newestPart = 1 / 4;

export interface CallQueue {
  /** Whether one more call may wait, apart from those that `freeThreads` threads are about to run. */
  hasRoom(freeThreads: number): boolean;
  add(pooled: PooledCall): void;
  /** Returns calls that were dispatched but have not begun to the front. */
  putBack(calls: readonly PooledCall[]): void;
  /** Returns whether the call was in the queue. */
  remove(pooled: PooledCall): boolean;
  all(): readonly PooledCall[];
  /** The batch for one of `freeThreads` threads: about as many calls as it runs in `batchMs`; empty when the queue is empty. */
  takeBatch(freeThreads: number): readonly PooledCall[];
  /** Updates the average with the duration of a batch's calls. */
  learn(calls: number, durationMs: number): void;
}

/** Queues at most `waitingMax` calls. */
export function createCallQueue(waitingMax: number): CallQueue {
  // Not a Set: frequent additions and removals leave old tables behind that keep recent calls in memory.
  const queue: PooledCall[] = [];
  let callMs = batchMs;

  return {
    hasRoom: (freeThreads) => queue.length - freeThreads < waitingMax,
    add: (pooled) => void queue.push(pooled),
    putBack: (calls) => void queue.unshift(...calls),
    remove(pooled) {
      const at = queue.indexOf(pooled);
      if (at >= 0) queue.splice(at, 1);
      return at >= 0;
    },
    all: () => [...queue],
    takeBatch(freeThreads) {
      const size = Math.max(1, Math.min(batchMax, Math.floor(batchMs / callMs)));
      return queue.splice(0, Math.min(size, Math.ceil(queue.length / freeThreads)));
    },
    learn(calls, durationMs) {
      callMs += (durationMs / calls - callMs) * newestPart;
    },
  };
}
