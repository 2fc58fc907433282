// What this clone has still to publish, and up to which commit of the shared log it has read. Read from the whole log, because the
// events that wait would make a snapshot large where nothing is synchronized.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import {isShared} from './shared-event.ts';

export interface SyncConflict {
  readonly id: string;
  /** claim: both clones worked on it. id: both created a work unit with this id. */
  readonly kind: 'claim' | 'id';
  /** The session of the other clone. */
  readonly theirs: string;
  readonly at: string;
}

/** Events of other clones follow it in the log, in the same write. */
export interface SyncImported extends DeliveryEvent {
  readonly type: 'sync_imported';
  /** Commit of the shared log. */
  readonly tip: string;
  /** Number of this clone's waiting events that the shared log contains. */
  readonly own: number;
  /** Positions of waiting events that are never published, after the `own` ones. */
  readonly dropped: readonly number[];
  readonly conflicts: readonly SyncConflict[];
}

export type WaitingEvent = DeliveryEvent & {readonly id: string};

export interface SyncState {
  tip: string | null;
  pending: WaitingEvent[];
  conflicts: readonly SyncConflict[];
}

export const syncSlice: Slice<SyncState, SyncImported> = {
  name: 'sync',
  version: 1,
  initial: {tip: null, pending: [], conflicts: []},
  evolve(state, event) {
    if (event.type === 'sync_imported') {
      const {tip, own, dropped, conflicts} = event;
      const waiting = state.pending.slice(own).filter((_, at) => !dropped.includes(at));
      return {tip, pending: waiting, conflicts: [...state.conflicts, ...conflicts]};
    }
    if (isWaiting(state, event)) state.pending.push(event);
    return state;
  },
};

function isWaiting(state: SyncState, event: DeliveryEvent): event is WaitingEvent {
  const {origin} = event as {readonly origin?: string};
  return isShared(event) && origin === undefined && !hasLostId(state, event.id);
}

/** Another clone has the id, so nothing about this clone's work unit is shared, and nothing of theirs is read. */
export function hasLostId({conflicts}: Pick<SyncState, 'conflicts'>, id: string): boolean {
  return conflicts.some((conflict) => conflict.kind === 'id' && conflict.id === id);
}
