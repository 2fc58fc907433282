// A request for approval, folded from its events.
import type {ApprovalPreview, ApprovalSubject, Person, PolicyDecision} from '@lumenflow/schemas';
import type {ApprovalAnswer, MissingApproval} from './missing-approvals.ts';

export interface ApprovalRecord {
  readonly request_id: string;
  /** SHA-256 over the canonical subject: exactly the call, claim or completion that is approved. */
  readonly binding: string;
  readonly subject: ApprovalSubject;
  readonly input_ref?: string;
  /** What the call would do; its digest is part of the subject. */
  readonly preview?: ApprovalPreview;
  /** The principal whose session made the request. */
  readonly requested_by: string;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly rules: readonly PolicyDecision[];
  readonly self_approval: boolean;
  /** An answer in the asking conversation counts. */
  readonly inband?: true;
  /** Approvals so far, of a request whose rules name approvers. */
  readonly answers?: readonly ApprovalAnswer[];
  /** Approvals that such a request still needs, while it is pending. */
  readonly missing?: readonly MissingApproval[];
  /** `expired`: its time was over for a day when a later event was recorded. Until then, only a clock decides. */
  readonly state: 'pending' | 'approved' | 'rejected' | 'used' | 'withdrawn' | 'expired';
  readonly resolved_by?: string;
  /** The identity, if the person signed in at the issuer. */
  readonly resolved_by_person?: Person;
  readonly resolved_at?: string;
  readonly reason?: string;
  /** inband: answered in the conversation that asked. link: by a signed link. */
  readonly channel?: 'inband' | 'link';
  /** Ids of the links by which it was answered. */
  readonly used_links?: readonly string[];
  /** The receipt or run that used it. */
  readonly used_by?: string;
  readonly withdrawn_by?: string;
  readonly withdrawn_at?: string;
  readonly withdrawn_reason?: string;
  /** The request that replaces this one, because the effect of the same call has changed. */
  readonly superseded_by?: string;
}

/** Whether it can still be answered or used, apart from expiry. */
export function isOpen({state}: Pick<ApprovalRecord, 'state'>): boolean {
  return state === 'pending' || state === 'approved';
}

/** Expiry is a fact of the clock, not an event: a pending or approved request past its time is dead. */
export function isExpired(approval: ApprovalRecord, timestamp: string): boolean {
  return approval.state === 'expired' || (isOpen(approval) && approval.expires_at <= timestamp);
}

/** A request at a given time. */
export type StandingApproval = ApprovalRecord;

/** `timestamp` is UTC ISO 8601 with milliseconds. */
export function approvalAt(approval: ApprovalRecord, timestamp: string): StandingApproval {
  return isExpired(approval, timestamp) ? {...approval, state: 'expired'} : approval;
}
