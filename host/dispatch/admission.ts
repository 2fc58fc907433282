// Admits as many calls as there are slots, and queues the rest in a bounded FIFO queue.
import type {ToolOutput} from '@lumenflow/schemas';
import {onAbort} from '../on-abort.ts';
import {busy, cancelledBeforeStart, hostClosing} from '../pool/index.ts';

export interface AdmissionOptions {
  readonly places: number;
  /** Maximum number of queued calls. */
  readonly queueMax: number;
}

export interface Waiter {
  readonly signal?: AbortSignal;
  /** Maximum time in the queue. */
  readonly timeoutMs: number;
}

export interface Admission {
  /** Returns undefined to admit the call, otherwise the answer that rejects it. Each admitted call must `leave`. */
  enter(waiter: Waiter): Promise<ToolOutput | undefined> | ToolOutput | undefined;
  leave(): void;
  /** Rejects all further calls; resolves when the last admitted call has left. */
  close(): Promise<void>;
}

export function createAdmission({places, queueMax}: AdmissionOptions): Admission {
  const waiting = new Set<(answer: ToolOutput | undefined) => void>();
  let running = 0;
  let onEmpty: (() => void) | undefined;

  async function wait({signal, timeoutMs}: Waiter): Promise<ToolOutput | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let endWatch: (() => void) | undefined;
    const answer = await new Promise<ToolOutput | undefined>((resolve) => {
      const settle = (answer: ToolOutput | undefined): void => {
        waiting.delete(settle);
        resolve(answer);
      };
      timer = setTimeout(() => settle(busy(`no place became free within ${timeoutMs} ms`)), timeoutMs);
      endWatch = signal && onAbort(signal, () => settle(cancelledBeforeStart()));
      waiting.add(settle);
    });
    clearTimeout(timer);
    endWatch?.();
    return answer;
  }

  return {
    enter(waiter) {
      if (onEmpty !== undefined) return hostClosing();
      if (waiter.signal?.aborted === true) return cancelledBeforeStart();
      if (running < places) {
        running += 1;
        return undefined;
      }
      return waiting.size < queueMax ? wait(waiter) : busy(`${queueMax} calls are waiting already`);
    },
    leave() {
      const [next] = waiting;
      // The slot passes directly to the next call, so no other call can take it in between.
      if (next !== undefined) next(undefined);
      else if (--running === 0) onEmpty?.();
    },
    async close() {
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        for (const settle of waiting) settle(hostClosing());
        if (running === 0) resolve();
      });
    },
  };
}
