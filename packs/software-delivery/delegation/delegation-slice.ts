// Delegations folded from the log. A delegation is open from its record until its work unit is done or deleted, or until it is
// withdrawn. A work unit has at most one open delegation.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {DelegationEvent, DelegationRecorded} from './delegation-events.ts';

export interface Delegation extends Pick<
  DelegationRecorded,
  'delegation' | 'wu' | 'to' | 'note' | 'initiative' | 'prompt_hash'
> {
  readonly by: string;
  readonly recorded_at: string;
  readonly state: 'open' | 'taken' | 'done' | 'withdrawn';
  /** When it entered this state. */
  readonly since: string;
  /** The session that claimed the work unit. */
  readonly taken_by?: string;
  /** Why it was withdrawn. */
  readonly reason?: string;
}

export interface Delegations {
  /** In the order of their records. */
  readonly delegations: Record<string, Delegation>;
  /** The open or claimed delegation, by work unit. */
  readonly current: Record<string, string>;
}

export const delegationSlice: Slice<Delegations, DelegationEvent | WuEvent> = {
  name: 'delegations',
  version: 1,
  initial: {delegations: {}, current: {}},
  evolve(state, event) {
    const {type} = event as DeliveryEvent;
    if (type.startsWith('delegation_')) evolveDelegations(state, event as DelegationEvent);
    else if (type.startsWith('wu_')) followWu(state, event as WuEvent);
    return state;
  },
};

function evolveDelegations({delegations, current}: Delegations, event: DelegationEvent): void {
  const {at, delegation: id} = event;
  if (event.type === 'delegation_recorded') {
    delegations[id] = openDelegation(event);
    current[event.wu] = id;
    return;
  }
  const before = delegations[id];
  if (before === undefined) return;
  delegations[id] = {...before, state: 'withdrawn', since: at, reason: event.reason};
  if (current[before.wu] === id) delete current[before.wu];
}

function followWu({delegations, current}: Delegations, event: WuEvent): void {
  const id = current[event.id];
  const delegation = id === undefined ? undefined : delegations[id];
  if (id === undefined || delegation === undefined) return;
  const {taken_by: _, ...free} = delegation;
  const since = event.at;
  if (event.type === 'wu_claimed') delegations[id] = {...free, state: 'taken', since, taken_by: event.by};
  else if (event.type === 'wu_released') delegations[id] = {...free, state: 'open', since};
  else if (event.type === 'wu_completed') delegations[id] = {...delegation, state: 'done', since};
  else if (event.type === 'wu_deleted') delegations[id] = {...free, state: 'withdrawn', since, reason: event.reason};
  if (event.type === 'wu_completed' || event.type === 'wu_deleted') delete current[event.id];
}

export function openDelegation(event: DelegationRecorded): Delegation {
  const {type: _, at, ...words} = event;
  return {...words, recorded_at: at, state: 'open', since: at};
}
