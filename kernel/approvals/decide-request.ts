// Which answer an approval request has, and what a new request records: pure, from the newest state.
import type {ApprovalPreview, ApprovalSubject, PolicyDecision} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/index.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {NewEvent} from '../ports.ts';
import {isExpired, isOpen, type ApprovalRecord} from './approval-record.ts';

export interface ApprovalQuestion {
  readonly subject: ApprovalSubject;
  readonly input_ref?: string;
  readonly preview?: ApprovalPreview | undefined;
  /** The principal of the session that asks. */
  readonly actor: string;
  readonly rules: readonly PolicyDecision[];
  readonly self_approval: boolean;
  readonly inband: boolean;
}

export interface RequestAnswer {
  readonly answer: 'approved' | 'rejected' | 'pending';
  readonly approval: ApprovalRecord;
}

/** The session already waits for as many answers as it may. */
export interface TooManyOpen {
  readonly answer: 'too_many';
  readonly max: number;
  /** Their request ids. */
  readonly open: readonly string[];
}

export interface RequestTerms {
  readonly request_id: string;
  readonly binding: string;
  /** UTC ISO 8601 with milliseconds, like `expires_at`. */
  readonly timestamp: string;
  readonly expires_at: string;
  readonly pendingMax: number;
}

/** Undefined for a request that is missing, used, withdrawn or expired. */
export function answerOf(approval: ApprovalRecord | undefined, timestamp: string): RequestAnswer | undefined {
  if (approval === undefined || isExpired(approval, timestamp)) return undefined;
  const {state} = approval;
  return state === 'pending' || state === 'approved' || state === 'rejected' ? {answer: state, approval} : undefined;
}

/** The events of a new request. It replaces an open request for the same call with other effects. `open`: those of the session. */
export function decideRequest(
  open: readonly ApprovalRecord[],
  question: ApprovalQuestion,
  terms: RequestTerms,
): Outcome<readonly NewEvent[], TooManyOpen> {
  const {request_id, binding, timestamp, expires_at, pendingMax} = terms;
  const current = open.filter((approval) => isOpen(approval) && !isExpired(approval, timestamp));
  const superseded = current.filter(({subject}) => isSameCall(subject, question.subject));
  const pending = current.filter((approval) => approval.state === 'pending' && !superseded.includes(approval));
  if (pending.length >= pendingMax) {
    return failed({answer: 'too_many', max: pendingMax, open: pending.map((approval) => approval.request_id)});
  }
  const {subject, actor, rules, self_approval, inband, input_ref, preview} = question;
  const withdrawals = superseded.map((approval) => ({
    type: 'approval_withdrawn' as const,
    timestamp,
    actor,
    request_id: approval.request_id,
    reason: 'what the call would do has changed',
    superseded_by: request_id,
  }));
  const asked = {
    type: 'approval_requested' as const,
    timestamp,
    actor,
    request_id,
    binding,
    subject,
    expires_at,
    rules: [...rules],
    self_approval,
    ...(inband && {inband: true}),
    ...(input_ref !== undefined && {input_ref}),
    ...(preview && {preview}),
  };
  return ok([...withdrawals, asked]);
}

/** The same in everything but its effects. */
function isSameCall(one: ApprovalSubject, other: ApprovalSubject): boolean {
  if (one.preview_digest === undefined || other.preview_digest === undefined) return false;
  return canonicalJson({...one, preview_digest: ''}) === canonicalJson({...other, preview_digest: ''});
}
