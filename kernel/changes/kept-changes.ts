// Changes that were not applied when their call ended, as the events record them.
import type {KernelEvent, Person} from '@lumenflow/schemas';

export interface KeptChanges {
  readonly receipt_id: string;
  /** Absent if no request was made, because the same paths had changed elsewhere. */
  readonly request_id?: string;
  /** parked: a person is asked. settling: a process applies or discards them. failed: they could not be applied. */
  readonly state: 'parked' | 'settling' | 'applied' | 'discarded' | 'conflict' | 'failed';
  /** Of what is settling. */
  readonly process_id?: string;
  readonly intent?: 'apply' | 'discard';
  readonly settled_by?: string;
  /** Who that is, if the person signed in at the issuer. */
  readonly settled_by_person?: Person;
  readonly settled_at?: string;
  readonly conflicts?: readonly string[];
  readonly reason?: string;
}

/** Whether a person or a process still has to settle them. */
export function isUnsettled({state}: Pick<KeptChanges, 'state'>): boolean {
  return state === 'parked' || state === 'settling';
}

/** Undefined for an event without changes. */
export function evolveKeptChanges(
  known: Pick<ReadonlyMap<string, KeptChanges>, 'get'>,
  event: KernelEvent,
): KeptChanges | undefined {
  if (event.type === 'approval_requested') {
    const {subject, request_id} = event;
    if (subject.kind !== 'changes' || subject.receipt_id === undefined) return undefined;
    return {receipt_id: subject.receipt_id, request_id, state: 'parked'};
  }
  if (event.type !== 'changes_settling' && event.type !== 'changes_settled') return undefined;
  const request_id = known.get(event.receipt_id)?.request_id;
  const own = {receipt_id: event.receipt_id, ...(request_id !== undefined && {request_id})};
  if (event.type === 'changes_settling') {
    return {...own, state: 'settling', process_id: event.process_id, intent: event.intent};
  }
  return {
    ...own,
    state: event.state,
    settled_by: event.actor,
    ...(event.person && {settled_by_person: event.person}),
    settled_at: event.timestamp,
    ...(event.conflicts && {conflicts: event.conflicts}),
    ...(event.reason !== undefined && {reason: event.reason}),
  };
}
