// The steps of finishing a work unit, each recorded once it is true. `wu_completed` comes between the merge and the cleanup.
import type {DeliveryEvent} from '../events/delivery-event.ts';

interface OfWorkUnit extends DeliveryEvent {
  readonly id: string;
}

/** The branch is committed and within its code paths. */
export interface DoneValidated extends OfWorkUnit {
  readonly type: 'done_validated';
  /** Latest commit of the work unit's branch. */
  readonly head: string;
}

/** The future commit of the main branch has passed the gates. */
export interface DoneGated extends OfWorkUnit {
  readonly type: 'done_gated';
  readonly head: string;
  /** The main branch's commit at that time. */
  readonly onto: string;
  readonly commit: string;
  readonly tree_hash: string;
  readonly config_hash: string;
  /** Receipt of the gate run. */
  readonly receipt_id: string;
}

export interface DoneMerged extends OfWorkUnit {
  readonly type: 'done_merged';
}

/** Worktree and branch are removed. Nothing is left to do. */
export interface DoneCleaned extends OfWorkUnit {
  readonly type: 'done_cleaned';
}

export interface DoneRolledBack extends OfWorkUnit {
  readonly type: 'done_rolled_back';
  readonly reason: string;
}

export type DoneEvent = DoneValidated | DoneGated | DoneMerged | DoneCleaned | DoneRolledBack;
