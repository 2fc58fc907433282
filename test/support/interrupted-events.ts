// Event logs for tests of what comes between: something else happens just before one process's next transaction.
import type {EventLog} from '@lumenflow/kernel/adapters';

export interface InterruptedEvents {
  /** Wraps the log of one process. */
  readonly events: (log: EventLog) => EventLog;
  /** Makes it happen once. */
  readonly meanwhile: (act: () => Promise<void>) => void;
}

export function interruptedEvents(): InterruptedEvents {
  let next: (() => Promise<void>) | undefined;
  return {
    events: (log) => ({
      refresh: () => log.refresh(),
      async transact(decide) {
        const act = next;
        next = undefined;
        await act?.();
        return await log.transact(decide);
      },
      onEvent: (listener, afterSeq) => log.onEvent(listener, afterSeq),
      read: (filter) => log.read(filter),
    }),
    meanwhile(act) {
      next = act;
    },
  };
}
