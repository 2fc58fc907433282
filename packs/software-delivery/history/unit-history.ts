// The history of one work unit, read from the whole log. It has no snapshot, because it is read rarely.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import {describeEvent} from './describe-event.ts';

export interface HistoryEntry {
  readonly at: string;
  /** The person or program that caused it, else the session. */
  readonly who: string;
  readonly session_id: string;
  /** The event's type. */
  readonly type: string;
  /** A sentence without its subject. */
  readonly what: string;
}

export function unitHistory(id: string): Slice<HistoryEntry[]> {
  return {
    name: 'history',
    version: 1,
    initial: [],
    evolve(entries, event) {
      const what = concerns(event, id) ? describeEvent(event) : undefined;
      if (what === undefined) return entries;
      const {at, by, actor, type} = event;
      entries.push({at, who: actor ?? by, session_id: by, type, what});
      return entries;
    },
  };
}

function concerns(event: DeliveryEvent, id: string): boolean {
  const {id: own, task_id: task} = event as {readonly id?: unknown; readonly task_id?: unknown};
  return event.type === 'gates_recorded' ? task === id : own === id;
}
