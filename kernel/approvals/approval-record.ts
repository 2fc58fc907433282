// A request for approval as the events tell it.
import type {ApprovalSubject, PolicyDecision} from '@lumenflow/schemas';

export interface ApprovalRecord {
  readonly request_id: string;
  /** SHA-256 over the canonical subject: the very call, claim or completion that may pass. */
  readonly binding: string;
  readonly subject: ApprovalSubject;
  readonly input_ref?: string;
  /** Whose session asked. */
  readonly requested_by: string;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly rules: readonly PolicyDecision[];
  readonly self_approval: boolean;
  /** An answer in the asking conversation counts. */
  readonly inband?: true;
  readonly state: 'pending' | 'approved' | 'rejected' | 'used';
  readonly resolved_by?: string;
  readonly resolved_at?: string;
  readonly reason?: string;
  /** inband: answered in the conversation that asked. */
  readonly channel?: 'inband';
  /** The receipt or run it let through. */
  readonly used_by?: string;
}

/** Expiry is a fact of the clock, not an event: a pending or approved request past its time is dead. */
export function isExpired(approval: ApprovalRecord, timestamp: string): boolean {
  return (approval.state === 'pending' || approval.state === 'approved') && approval.expires_at <= timestamp;
}

/** A request as it stands at a time: that it has expired is told by the clock, not by an event. */
export interface StandingApproval extends Omit<ApprovalRecord, 'state'> {
  readonly state: ApprovalRecord['state'] | 'expired';
}

/** `timestamp` is UTC ISO 8601 with milliseconds. */
export function approvalAt(approval: ApprovalRecord, timestamp: string): StandingApproval {
  return isExpired(approval, timestamp) ? {...approval, state: 'expired'} : approval;
}
