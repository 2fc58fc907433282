// The calls that wait for a thread, first come first served, and how many of them a free thread gets.
import type {PooledCall} from './pooled-call.ts';

/** Calls handed to a thread together at most. */
const batchMax = 64;
/** How long a batch is to take: calls that are shorter are handed out together. */
export const batchMs = 1;
/** How much the newest batch counts in what calls take. */
const newestPart = 1 / 4;

export interface CallQueue {
  /** Whether one more may wait, apart from those that `freeThreads` threads are about to take. */
  hasRoom(freeThreads: number): boolean;
  add(pooled: PooledCall): void;
  /** Calls that were handed out and have not begun go to the front again. */
  putBack(calls: readonly PooledCall[]): void;
  /** Whether the call was in the queue. */
  remove(pooled: PooledCall): boolean;
  all(): readonly PooledCall[];
  /** For one of `freeThreads` threads: about as many as it runs in `batchMs`; none when nobody waits. */
  takeBatch(freeThreads: number): readonly PooledCall[];
  /** Learns how long the calls of a batch took. */
  learn(calls: number, durationMs: number): void;
}

/** At most `waitingMax` calls wait. */
export function createCallQueue(waitingMax: number): CallQueue {
  // No Set: one that is added to and taken from all the time leaves tables behind that keep all calls of late in memory.
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
