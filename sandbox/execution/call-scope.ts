// The running calls of an executor. Closing it ends them and waits for their end.
import {setMaxListeners} from 'node:events';

export interface CallScope {
  /** Runs a call under a signal that aborts with the given one or on closing. */
  run<T>(signal: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Closing also waits for this: what a call still has to end after its result. */
  linger(end: Promise<unknown>): void;
  close(): Promise<void>;
}

export function createCallScope(): CallScope {
  const closing = new AbortController();
  // Each running call adds a listener; Node would warn about more than ten on stderr.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<unknown>>();
  const add = (work: Promise<unknown>): void => {
    const done = work.catch(() => undefined).finally(() => running.delete(done));
    running.add(done);
  };
  return {
    async run(signal, call) {
      const started = call(signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]));
      add(started);
      return await started;
    },
    linger: add,
    async close() {
      closing.abort('the sandbox is closing');
      await Promise.all(running);
    },
  };
}
