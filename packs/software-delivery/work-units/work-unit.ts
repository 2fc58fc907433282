// A work unit as the log tells it. Ten thousand of them are one snapshot, so the spec's long texts stay in its file.
import type {WuSpec} from './wu-spec.ts';

export type WuStatus = 'ready' | 'in_progress' | 'blocked' | 'done';

export interface Lease {
  /** Rises with every claim of any work unit: who shows a lower one is not the holder any more. */
  readonly token: number;
  readonly session_id: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

export type SpecSummary = Omit<WuSpec, 'description' | 'acceptance' | 'tests' | 'spec_refs' | 'risk'>;

export interface WorkUnit {
  readonly spec: SpecSummary;
  /** SHA-256 of the spec's file as it was recorded last. */
  readonly spec_hash: string;
  readonly status: WuStatus;
  /** ISO 8601. */
  readonly created_at: string;
  /** When it came to this status. */
  readonly since: string;
  /** While it is in progress or blocked. */
  readonly lease?: Lease;
  /** From the first claim on. */
  readonly branch?: string;
  /** Relative to the workspace root; from the first claim on. */
  readonly worktree?: string;
  /** The commit that the branch began at: from the end of the first claim until it is done. */
  readonly base?: string;
  readonly blocked_reason?: string;
  /** Who was given the brief last, and of which spec; until it is done. */
  readonly briefed?: {readonly session_id: string; readonly spec_hash: string};
  readonly escalation?: {readonly reason: string; readonly since: string};
  /** What the main branch was moved to when it was done. */
  readonly commit?: string;
}
