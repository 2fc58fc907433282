// Lets in as many calls as there are places for them and keeps the rest in a bounded line, first come first
// served.
import type {ToolOutput} from '@lumenflow/schemas';
import {busy, cancelledBeforeStart, hostClosing} from '../pool/index.ts';

export interface AdmissionOptions {
  readonly places: number;
  /** Calls that may wait. */
  readonly queueMax: number;
}

export interface Waiter {
  readonly signal?: AbortSignal;
  /** How long to wait at most. */
  readonly timeoutMs: number;
}

export interface Admission {
  /** Undefined lets the call in; otherwise the answer to give instead. Each call let in must `leave`. */
  enter(waiter: Waiter): Promise<ToolOutput | undefined> | ToolOutput | undefined;
  leave(): void;
  /** Turns all away from now on; resolves when the last call has left. */
  close(): Promise<void>;
}

export function createAdmission({places, queueMax}: AdmissionOptions): Admission {
  const waiting = new Set<(answer: ToolOutput | undefined) => void>();
  let running = 0;
  let onEmpty: (() => void) | undefined;

  async function wait({signal, timeoutMs}: Waiter): Promise<ToolOutput | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let cancel = (): void => {};
    const answer = await new Promise<ToolOutput | undefined>((resolve) => {
      const settle = (answer: ToolOutput | undefined): void => {
        waiting.delete(settle);
        resolve(answer);
      };
      cancel = () => settle(cancelledBeforeStart());
      timer = setTimeout(() => settle(busy(`no place became free within ${timeoutMs} ms`)), timeoutMs);
      signal?.addEventListener('abort', cancel);
      waiting.add(settle);
    });
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
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
      // The place goes on to the next one, so nobody can slip in between.
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
