// Decides what the events of other clones change here. The shared log is the order that counts: of two claims, the one that it has
// first wins. The other one is never published, and is reported.
import type {DeliveryEvent, EventStamp} from '../events/delivery-event.ts';
import {isOfLease, type SharedEvent} from './shared-event.ts';
import {hasLostId, type SyncConflict, type SyncImported, type SyncState} from './sync-slice.ts';

export interface Incoming {
  readonly tip: string;
  readonly events: readonly SharedEvent[];
  /** This clone. */
  readonly clone: string;
  readonly stamp: EventStamp;
  /** The work unit that the calling session claims now. If the claim fails, its caller learns that, so it does not count as a conflict. */
  readonly claiming?: string;
}

export interface ImportPlan {
  readonly events: readonly DeliveryEvent[];
  readonly conflicts: readonly SyncConflict[];
}

export function planImport(state: SyncState, {tip, events, clone, stamp, claiming}: Incoming): ImportPlan {
  const own = events.filter(({origin}) => origin === clone).length;
  const waiting = state.pending.slice(own);
  const foreign = events.filter(({origin, id}) => origin !== clone && !hasLostId(state, id));
  const created = new Set(waiting.filter(({type}) => type === 'wu_created').map(({id}) => id));
  const claimed = new Set(waiting.filter(({type}) => type === 'wu_claimed').map(({id}) => id));
  const ids = foreign.filter(({type, id}) => type === 'wu_created' && created.has(id));
  const ended = new Set(foreign.filter(({type}) => type === 'wu_released').map(leaseOf));
  // A claim that has ended does not compete with ours, which is newer.
  const current = foreign.filter((event) => !(claimed.has(event.id) && isOfLease(event) && ended.has(leaseOf(event))));
  const claims = current.filter(({type, id}) => type === 'wu_claimed' && claimed.has(id) && !created.has(id));
  const unexpected = claims.filter(({id}) => id !== claiming);
  const conflicts = [...unique(ids, 'id'), ...unique(unexpected, 'claim')];
  const lostIds = new Set(ids.map(({id}) => id));
  const lostClaims = new Set(claims.map(({id}) => id));
  const dropped = waiting.flatMap((event, at) =>
    lostIds.has(event.id) || (lostClaims.has(event.id) && isOfLease(event)) ? [at] : [],
  );
  const taken = current.filter(({id}) => !lostIds.has(id));
  const imported: SyncImported = {type: 'sync_imported', ...stamp, tip, own, dropped, conflicts};
  return {events: [imported, ...taken, ...repeated(waiting, taken)], conflicts};
}

/** Of two edits, the later one in the shared log counts. It is ours, so it must also be the later one here. */
function repeated(waiting: SyncState['pending'], taken: readonly SharedEvent[]): readonly DeliveryEvent[] {
  const edited = new Set(taken.filter(isEdit).map(({type, id}) => `${type} ${id}`));
  return waiting.filter((event) => isEdit(event) && edited.has(`${event.type} ${event.id}`));
}

function leaseOf(event: SharedEvent): string {
  const {origin, token} = event as SharedEvent & {readonly token?: number};
  return `${event.id} ${origin} ${token ?? ''}`;
}

function isEdit({type}: DeliveryEvent): boolean {
  return type === 'wu_edited' || type === 'wu_assigned';
}

function unique(events: readonly SharedEvent[], kind: SyncConflict['kind']): readonly SyncConflict[] {
  const first = new Map(events.toReversed().map((event) => [event.id, event]));
  return [...first.values()].map(({id, by: theirs, at}) => ({id, kind, theirs, at}));
}
