// Work handed to somebody, as the log holds it. What becomes of it, the events of the work unit tell.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export interface DelegationRecorded extends DeliveryEvent {
  readonly type: 'delegation_recorded';
  readonly delegation: string;
  /** The work unit. */
  readonly wu: string;
  /** Who is to do it: an agent, a model, a person. */
  readonly to: string;
  readonly note?: string;
  /** When an initiative's orchestration handed it out. */
  readonly initiative?: string;
  /** SHA-256 of the brief that was handed over. */
  readonly prompt_hash?: string;
}

/** Taken back before it was done; the work unit may be handed to somebody else. */
export interface DelegationWithdrawn extends DeliveryEvent {
  readonly type: 'delegation_withdrawn';
  readonly delegation: string;
  readonly reason: string;
}

export type DelegationEvent = DelegationRecorded | DelegationWithdrawn;
