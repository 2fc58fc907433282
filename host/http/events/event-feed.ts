// One subscription to the runtime's events for all streams. It wakes each stream, which then reads on from its own position.
import type {KernelRuntime, ToolsChanged} from '@lumenflow/kernel';

export interface EventFeed {
  /** The newest event's seq in this process; 0 if there is none. */
  lastSeq(): number;
  /** The newest change of the tools since the server started; each change is a new object. */
  toolsChanged(): ToolsChanged | undefined;
  /** Resolves on the next event, after the time, or when a signal aborts. */
  wait(timeoutMs: number, signals: readonly AbortSignal[]): Promise<void>;
  close(): void;
}

export function createEventFeed(runtime: KernelRuntime): EventFeed {
  let lastSeq = 0;
  const sleepers = new Set<() => void>();
  let toolsChanged: ToolsChanged | undefined;
  const wakeAll = (): void => {
    for (const wake of sleepers) wake();
  };
  const unsubscribe = [
    runtime.events.subscribe({}, ({seq}) => {
      lastSeq = seq;
      wakeAll();
    }),
    runtime.packs.subscribe((change) => {
      toolsChanged = change;
      wakeAll();
    }),
  ];
  return {
    lastSeq: () => lastSeq,
    toolsChanged: () => toolsChanged,
    async wait(timeoutMs, signals) {
      if (signals.some((signal) => signal.aborted)) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, timeoutMs);
        for (const signal of signals) signal.addEventListener('abort', wake);
        sleepers.add(wake);
        function wake(): void {
          clearTimeout(timer);
          for (const signal of signals) signal.removeEventListener('abort', wake);
          sleepers.delete(wake);
          resolve();
        }
      });
    },
    close() {
      for (const end of unsubscribe) end();
    },
  };
}
