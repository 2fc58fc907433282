// One poll of a log for all streams that wait for it, however many there are. Without a waiting stream it does not run.

export interface SharedPoll {
  /** Resolves after the next poll, when woken, or when a signal aborts. Rejects if the poll fails. */
  wait(signals: readonly AbortSignal[]): Promise<void>;
  /** Wakes all waiting streams without a poll. */
  wake(): void;
}

interface Sleeper {
  wake(): void;
  fail(error: unknown): void;
}

export function createSharedPoll(read: () => Promise<void>, intervalMs: number): SharedPoll {
  const sleepers = new Set<Sleeper>();
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    try {
      await read();
      for (const {wake} of sleepers) wake();
    } catch (error) {
      for (const {fail} of sleepers) fail(error);
    }
  }

  /** The interval begins when the last poll has ended, so a slow one does not overtake itself. */
  function schedule(): void {
    timer ??= setTimeout(() => {
      void poll().finally(() => {
        timer = undefined;
        if (sleepers.size > 0) schedule();
      });
    }, intervalMs);
  }

  return {
    async wait(signals) {
      if (signals.some(({aborted}) => aborted)) return;
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          for (const signal of signals) signal.removeEventListener('abort', wake);
          sleepers.delete(sleeper);
        };
        const wake = (): void => {
          leave();
          resolve();
        };
        const fail = (error: unknown): void => {
          leave();
          reject(error);
        };
        const sleeper: Sleeper = {wake, fail};
        for (const signal of signals) signal.addEventListener('abort', wake);
        sleepers.add(sleeper);
        schedule();
      });
    },
    wake() {
      for (const {wake} of sleepers) wake();
    },
  };
}
