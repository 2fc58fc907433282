// Delegations in the log. The work unit's own events report what happens to it later.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export interface DelegationRecorded extends DeliveryEvent {
  readonly type: 'delegation_recorded';
  readonly delegation: string;
  /** The work unit. */
  readonly wu: string;
  /** The assignee: an agent, a model or a person. */
  readonly to: string;
  readonly note?: string;
  /** Set if an initiative's orchestration delegated it. */
  readonly initiative?: string;
  /** SHA-256 of the brief. */
  readonly prompt_hash?: string;
}

/** Withdrawn before it was done. The work unit can be delegated again. */
export interface DelegationWithdrawn extends DeliveryEvent {
  readonly type: 'delegation_withdrawn';
  readonly delegation: string;
  readonly reason: string;
}

export type DelegationEvent = DelegationRecorded | DelegationWithdrawn;
