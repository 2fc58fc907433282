// The calls that wait for a thread, first come first served, and how many of them a free thread gets.
import type {PooledCall} from './pooled-call.ts';

/** Calls handed to a thread together at most. */
const batchMax = 16;
/** Calls that take no longer, on average, are handed out together. */
const shortMs = 1;

export interface CallLine {
  /** Whether one more may wait, apart from those that `freeThreads` threads are about to take. */
  hasRoom(freeThreads: number): boolean;
  add(pooled: PooledCall): void;
  /** Calls that were handed out and have not begun go to the front again. */
  putBack(calls: readonly PooledCall[]): void;
  /** Whether the call was in the line. */
  remove(pooled: PooledCall): boolean;
  all(): readonly PooledCall[];
  /** For one of `freeThreads` threads; none when nobody waits. */
  takeBatch(freeThreads: number): readonly PooledCall[];
  /** Learns how long the calls of a batch took. */
  learn(calls: number, durationMs: number): void;
}

/** At most `waitingMax` calls wait. */
export function createCallLine(waitingMax: number): CallLine {
  let line = new Set<PooledCall>();
  // Grows while calls are short; slow ones are handed out one by one, so that none waits behind another.
  let batchSize = 1;

  return {
    hasRoom: (freeThreads) => line.size - freeThreads < waitingMax,
    add: (pooled) => void line.add(pooled),
    putBack(calls) {
      line = new Set([...calls, ...line]);
    },
    remove: (pooled) => line.delete(pooled),
    all: () => [...line],
    takeBatch(freeThreads) {
      const size = Math.min(batchSize, Math.ceil(line.size / freeThreads));
      const calls: PooledCall[] = [];
      for (const pooled of line) {
        if (calls.length === size) break;
        line.delete(pooled);
        calls.push(pooled);
      }
      return calls;
    },
    learn(calls, durationMs) {
      batchSize = durationMs <= calls * shortMs ? Math.min(batchMax, batchSize * 2) : 1;
    },
  };
}
