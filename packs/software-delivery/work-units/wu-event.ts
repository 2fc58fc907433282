// The facts about work units. A spec stands in the log as it was recorded; the file in git is what it was read from.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {WuSpec} from './wu-spec.ts';

interface OfWorkUnit extends DeliveryEvent {
  readonly id: string;
}

/** What only the holder of the lease makes true. */
interface OfHolder extends OfWorkUnit {
  /** The fencing token of the lease. */
  readonly token: number;
}

interface WithSpec extends OfWorkUnit {
  readonly spec: WuSpec;
  /** SHA-256 of the file. */
  readonly spec_hash: string;
}

export interface WuCreated extends WithSpec {
  readonly type: 'wu_created';
}

export interface WuEdited extends WithSpec {
  readonly type: 'wu_edited';
}

export interface WuDeleted extends OfWorkUnit {
  readonly type: 'wu_deleted';
  readonly reason: string;
}

/** The lease is taken, by the session that the event is `by`; branch, worktree and the kernel's claim come next. */
export interface WuClaimed extends OfHolder {
  readonly type: 'wu_claimed';
  /** ISO 8601. */
  readonly expires_at: string;
  readonly branch: string;
  /** Relative to the workspace root. */
  readonly worktree: string;
}

/** Branch, worktree and the kernel's claim stand. */
export interface WuStarted extends OfHolder {
  readonly type: 'wu_started';
  /** The commit that the branch began at. */
  readonly base: string;
}

export interface WuRenewed extends OfHolder {
  readonly type: 'wu_renewed';
  readonly expires_at: string;
}

export interface WuBlocked extends OfHolder {
  readonly type: 'wu_blocked';
  readonly reason: string;
}

export interface WuUnblocked extends OfHolder {
  readonly type: 'wu_unblocked';
  readonly expires_at: string;
}

/** Ready again: given up, or taken from a holder whose lease has expired. Branch and worktree stay. */
export interface WuReleased extends OfHolder {
  readonly type: 'wu_released';
  readonly reason: string;
}

export interface WuCompleted extends OfHolder {
  readonly type: 'wu_completed';
  /** What the main branch was moved to. */
  readonly commit?: string;
}

/** The hand-off was given to the session that the event is `by`. */
export interface WuBriefed extends OfWorkUnit {
  readonly type: 'wu_briefed';
  readonly spec_hash: string;
  /** SHA-256 of what was handed over. */
  readonly prompt_hash: string;
}

export interface WuEscalated extends OfWorkUnit {
  readonly type: 'wu_escalated';
  readonly reason: string;
}

export interface WuEscalationResolved extends OfWorkUnit {
  readonly type: 'wu_escalation_resolved';
  readonly note: string;
}

export type WuEvent =
  | WuCreated
  | WuEdited
  | WuDeleted
  | WuClaimed
  | WuStarted
  | WuRenewed
  | WuBlocked
  | WuUnblocked
  | WuReleased
  | WuCompleted
  | WuBriefed
  | WuEscalated
  | WuEscalationResolved;
