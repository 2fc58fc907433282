// The events of work units. The log contains each spec as recorded; the file in git was its source.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {WuSpec} from './wu-spec.ts';

interface OfWorkUnit extends DeliveryEvent {
  readonly id: string;
}

/** Events that only the holder of the lease can cause. */
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
  /** Its creation failed, so its id was never returned and is assigned again if no later one was. */
  readonly withdrawn?: true;
}

/** Absent fields are unchanged; null removes the value. */
export interface WuAssigned extends OfWorkUnit {
  readonly type: 'wu_assigned';
  readonly assignee?: string | null;
  /** `YYYY-MM-DD`. */
  readonly due?: string | null;
}

export interface WuCommented extends OfWorkUnit {
  readonly type: 'wu_commented';
  /** Markdown. */
  readonly text: string;
}

/** The session in `by` took the lease. Branch, worktree and the kernel's claim follow. */
export interface WuClaimed extends OfHolder {
  readonly type: 'wu_claimed';
  /** ISO 8601. */
  readonly expires_at: string;
  readonly branch: string;
  /** Relative to the workspace root. */
  readonly worktree: string;
  /** The clone that claimed it, if it is another one. */
  readonly origin?: string;
}

/** Branch, worktree and the kernel's claim are complete. */
export interface WuStarted extends OfHolder {
  readonly type: 'wu_started';
  /** The commit that the branch started from. */
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

/** Ready again: released by its holder, or taken from a holder whose lease expired. Branch and worktree remain. */
export interface WuReleased extends OfHolder {
  readonly type: 'wu_released';
  readonly reason: string;
}

export interface WuCompleted extends OfHolder {
  readonly type: 'wu_completed';
  /** The main branch's commit after the merge. */
  readonly commit?: string;
}

/** The branch is on the remote, and waits there for a review. Opened again after each push. */
export interface WuReviewOpened extends OfHolder {
  readonly type: 'wu_review_opened';
  readonly remote: string;
  readonly branch: string;
  /** The pushed commit. */
  readonly head: string;
  /** Of the request, if a forge opened one. */
  readonly number?: number;
  readonly url?: string;
}

/** The request was closed without a merge. */
export interface WuReviewClosed extends OfWorkUnit {
  readonly type: 'wu_review_closed';
}

/** The main branch has a commit that reverts the work. The work unit `successor` continues it. */
export interface WuReverted extends OfWorkUnit {
  readonly type: 'wu_reverted';
  readonly commit: string;
  readonly reason: string;
  readonly successor: string;
}

/** The session in `by` received the brief. */
export interface WuBriefed extends OfWorkUnit {
  readonly type: 'wu_briefed';
  readonly spec_hash: string;
  /** SHA-256 of the brief. */
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
  | WuAssigned
  | WuCommented
  | WuClaimed
  | WuStarted
  | WuRenewed
  | WuBlocked
  | WuUnblocked
  | WuReleased
  | WuCompleted
  | WuReviewOpened
  | WuReviewClosed
  | WuReverted
  | WuBriefed
  | WuEscalated
  | WuEscalationResolved;
