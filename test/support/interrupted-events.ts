// Event logs for tests of what comes between: something else happens just before or just after one process's next transaction.
import type {EventLog} from '@lumenflow/kernel/adapters';

export interface InterruptedEvents {
  /** Wraps the log of one process. */
  readonly events: (log: EventLog) => EventLog;
  /** Makes it happen once. */
  readonly meanwhile: (act: () => Promise<void>) => void;
  /** Makes it happen once, after the transaction. */
  readonly afterwards: (act: () => Promise<void>) => void;
}

export function interruptedEvents(): InterruptedEvents {
  let next: (() => Promise<void>) | undefined;
  let last: (() => Promise<void>) | undefined;
  return {
    events: (log) => ({
      refresh: () => log.refresh(),
      async transact(decide) {
        const [before, after] = [next, last];
        [next, last] = [undefined, undefined];
        await before?.();
        const result = await log.transact(decide);
        await after?.();
        return result;
      },
      onEvent: (listener, afterSeq) => log.onEvent(listener, afterSeq),
      read: (filter) => log.read(filter),
    }),
    meanwhile(act) {
      next = act;
    },
    afterwards(act) {
      last = act;
    },
  };
}
