// A work unit as recorded in the log. The spec's long texts stay in its file, so that a snapshot of ten thousand units stays
// small.
import type {WuSpec} from './wu-spec.ts';

export type WuStatus = 'ready' | 'in_progress' | 'blocked' | 'done';

export interface Lease {
  /** Increases with every claim of any work unit. A caller with a lower token is not the current holder. */
  readonly token: number;
  readonly session_id: string;
  /** ISO 8601. */
  readonly expires_at: string;
  /** The clone in which the session is; absent if it is this one. Sessions of two clones can have the same name. */
  readonly origin?: string;
}

/** A branch on a remote that waits for people. */
export interface Review {
  readonly remote: string;
  readonly branch: string;
  /** The pushed commit. */
  readonly head: string;
  /** Time of the latest push. */
  readonly since: string;
  /** Of the request, if a forge opened one. */
  readonly number?: number;
  readonly url?: string;
}

export type SpecSummary = Omit<WuSpec, 'description' | 'acceptance' | 'tests' | 'spec_refs' | 'risk'>;

export interface WorkUnit {
  readonly spec: SpecSummary;
  /** SHA-256 of the spec file when it was last recorded. */
  readonly spec_hash: string;
  readonly status: WuStatus;
  /** ISO 8601. */
  readonly created_at: string;
  /** When it entered this status. */
  readonly since: string;
  /** The person or program that should do it. */
  readonly assignee?: string;
  /** `YYYY-MM-DD`. */
  readonly due?: string;
  /** Number of comments on it. */
  readonly comments?: number;
  /** Set while it is in progress or blocked. */
  readonly lease?: Lease;
  /** Set from the first claim on. */
  readonly branch?: string;
  /** Relative to the workspace root. Set from the first claim on. */
  readonly worktree?: string;
  /** The commit that the branch started from. Set from the end of the first claim until completion. */
  readonly base?: string;
  readonly blocked_reason?: string;
  /** The last session that received the brief, and the spec of that brief. Set until completion. */
  readonly briefed?: {readonly session_id: string; readonly spec_hash: string};
  readonly escalation?: {readonly reason: string; readonly since: string};
  /** Set while it waits for a review. After completion: the review that it passed. */
  readonly review?: Review;
  /** Set if the merge was reverted: by which commit, and the work unit that continues. */
  readonly reverted?: {readonly commit: string; readonly successor: string};
  /** The main branch's commit after the merge. */
  readonly commit?: string;
}
