// The event log in memory. Several on one journal simulate several processes: each sees what it has read.
import {KernelError} from '@lumenflow/kernel';
import type {EventLog} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import {validateEvent} from '@lumenflow/schemas/validators';
import {noLine, type MemoryJournal} from './memory-journal.ts';

export function createMemoryEventLog(journal: MemoryJournal<KernelEvent>): EventLog {
  const listeners = new Set<(event: KernelEvent) => void>();
  let seen = 0;
  const refresh = (): void => {
    for (; seen < journal.entries.length; seen += 1) {
      const event = journal.entries[seen];
      if (event) for (const listener of listeners) listener(event);
    }
  };
  refresh();
  return {
    refresh,
    async transact(decide) {
      // As with a lock, a decision is never immediate.
      await Promise.resolve();
      refresh();
      const {events, result} = decide();
      for (const event of events) {
        if (validateEvent({seq: 1, prev: noLine, ...event})) continue;
        throw new KernelError('BROKEN_INVARIANT', `an event \`${event.type}\` does not match its schema`);
      }
      journal.append(events);
      refresh();
      return result;
    },
    onEvent(listener, afterSeq = 0) {
      for (const event of journal.entries.slice(afterSeq, seen)) listener(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read({afterSeq = 0, limit = seen}) {
      return journal.entries.slice(afterSeq, Math.min(seen, afterSeq + limit));
    },
  };
}
