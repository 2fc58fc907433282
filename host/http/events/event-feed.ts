// One subscription to the runtime's events for all streams. It wakes each stream, which then reads on from its own position.
import type {KernelRuntime, ToolsChanged} from '@lumenflow/kernel';
import {createSharedPoll} from './shared-poll.ts';

export interface EventFeed {
  /** The newest event's seq in this process; 0 if there is none. */
  lastSeq(): number;
  /** The newest change of the tools since the server started; each change is a new object. */
  toolsChanged(): ToolsChanged | undefined;
  /** Resolves on the next event, after the next poll of the log, or when a signal aborts. */
  wait(signals: readonly AbortSignal[]): Promise<void>;
  close(): void;
}

const pollMs = 1_000;

export function createEventFeed(runtime: KernelRuntime): EventFeed {
  let lastSeq = 0;
  let toolsChanged: ToolsChanged | undefined;
  // Reports events of other processes to the subscription below.
  const poll = createSharedPoll(() => runtime.refresh(), pollMs);
  const unsubscribe = [
    runtime.events.subscribe({}, ({seq}) => {
      lastSeq = seq;
      poll.wake();
    }),
    runtime.packs.subscribe((change) => {
      toolsChanged = change;
      poll.wake();
    }),
  ];
  return {
    lastSeq: () => lastSeq,
    toolsChanged: () => toolsChanged,
    wait: poll.wait,
    close() {
      for (const end of unsubscribe) end();
    },
  };
}
