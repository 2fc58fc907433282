// The steps of getting a work unit done, each a fact once it is true. `wu_completed` stands between the merge and the end.
import type {DeliveryEvent} from '../events/delivery-event.ts';

interface OfWorkUnit extends DeliveryEvent {
  readonly id: string;
}

/** The branch is what it may be: committed, and within its code paths. */
export interface DoneValidated extends OfWorkUnit {
  readonly type: 'done_validated';
  /** Last commit of the work unit's branch. */
  readonly head: string;
}

/** What the main branch is to become has passed the gates. */
export interface DoneGated extends OfWorkUnit {
  readonly type: 'done_gated';
  readonly head: string;
  /** What the main branch was then. */
  readonly onto: string;
  readonly commit: string;
  readonly tree_hash: string;
  readonly config_hash: string;
  /** Of the gates' run. */
  readonly receipt_id: string;
}

export interface DoneMerged extends OfWorkUnit {
  readonly type: 'done_merged';
}

/** Worktree and branch are gone; nothing is left to do. */
export interface DoneCleaned extends OfWorkUnit {
  readonly type: 'done_cleaned';
}

export interface DoneRolledBack extends OfWorkUnit {
  readonly type: 'done_rolled_back';
  readonly reason: string;
}

export type DoneEvent = DoneValidated | DoneGated | DoneMerged | DoneCleaned | DoneRolledBack;
