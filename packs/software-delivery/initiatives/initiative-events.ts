// The events of initiatives.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export interface InitiativeWords {
  readonly title: string;
  readonly description?: string;
  readonly owner?: string;
  /** YYYY-MM-DD. */
  readonly target_date?: string;
  /** Titles in order. The first is phase 1. */
  readonly phases: readonly string[];
  readonly success_metrics: readonly string[];
  readonly status: 'active' | 'paused' | 'done' | 'cancelled';
}

export interface InitiativeCreated extends DeliveryEvent, InitiativeWords {
  readonly type: 'initiative_created';
  readonly initiative: string;
}

export interface InitiativeEdited extends DeliveryEvent {
  readonly type: 'initiative_edited';
  readonly initiative: string;
  readonly changes: Partial<InitiativeWords>;
}

/** The work unit leaves its former initiative. */
export interface InitiativeWuAdded extends DeliveryEvent {
  readonly type: 'initiative_wu_added';
  readonly initiative: string;
  readonly wu: string;
  readonly phase?: number;
}

export interface InitiativeWuRemoved extends DeliveryEvent {
  readonly type: 'initiative_wu_removed';
  readonly initiative: string;
  readonly wu: string;
}

export type InitiativeEvent = InitiativeCreated | InitiativeEdited | InitiativeWuAdded | InitiativeWuRemoved;
