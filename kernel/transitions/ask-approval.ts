// What a decision of approval_required leads to: an open request, a person's answer, or a new request.
import type {ApprovalPreview, ApprovalSubject, PolicyDecision} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../kernel.ts';
import {approvalTtlMs, pendingApprovalsMax} from '../limits.ts';
import {isExpired, isOpen, type ApprovalRecord} from '../approvals/approval-record.ts';
import type {NewEvent} from '../ports.ts';

export interface ApprovalQuestion {
  readonly subject: ApprovalSubject;
  readonly input_ref?: string;
  readonly preview?: ApprovalPreview;
  /** Whose session asks. */
  readonly actor: string;
  readonly rules: readonly PolicyDecision[];
  readonly self_approval: boolean;
  readonly inband: boolean;
}

export type ApprovalAnswer =
  | {readonly answer: 'approved' | 'rejected' | 'pending'; readonly approval: ApprovalRecord}
  | TooManyOpen;

/** The session waits for as many answers as it may. */
export interface TooManyOpen {
  readonly answer: 'too_many';
  readonly max: number;
  readonly open: readonly string[];
}

/** Finds the request for exactly this subject, or makes one; durable before it answers. */
export async function askApproval(kernel: Kernel, question: ApprovalQuestion): Promise<ApprovalAnswer> {
  const {digest, events} = kernel.ports;
  const binding = digest.sha256(canonicalJson(question.subject));
  const known = standing(kernel, binding);
  if (known) return known;
  const asked = await events.transact<string | TooManyOpen>(() => {
    const meanwhile = kernel.state.approvalFor(binding);
    if (meanwhile && standing(kernel, binding)) return {events: [], result: meanwhile.request_id};
    return request(kernel, question, binding);
  });
  if (typeof asked !== 'string') return asked;
  const approval = kernel.state.approvals.get(asked);
  if (!approval) throw new Error(`the approval request ${asked} was appended but not folded`);
  return standing(kernel, binding) ?? {answer: 'pending', approval};
}

/** A new request, which takes the place of one for the same call that would have done something else. */
function request(
  kernel: Kernel,
  question: ApprovalQuestion,
  binding: string,
): {readonly events: readonly NewEvent[]; readonly result: string | TooManyOpen} {
  const {clock, ids} = kernel.ports;
  const timestamp = clock.timestamp();
  const open = kernel.state
    .openApprovals(question.subject.session_id)
    .filter((approval) => !isExpired(approval, timestamp));
  const superseded = open.filter(({subject}) => isSameCall(subject, question.subject));
  const pending = open.filter((approval) => approval.state === 'pending' && !superseded.includes(approval));
  const max = kernel.workspace.spec.approvals?.max_pending_per_session ?? pendingApprovalsMax;
  if (pending.length >= max) {
    return {
      events: [],
      result: {
        answer: 'too_many',
        max,
        open: pending.map(({request_id}) => request_id),
      },
    };
  }
  const request_id = ids.next('apr');
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
    expires_at: clock.timestamp(approvalTtlMs),
    rules: [...rules],
    self_approval,
    ...(inband && {inband: true}),
    ...(input_ref !== undefined && {input_ref}),
    ...(preview && {preview}),
  };
  return {events: [...withdrawals, asked], result: request_id};
}

/** The same in all but what it would do. */
function isSameCall(one: ApprovalSubject, other: ApprovalSubject): boolean {
  if (one.preview_digest === undefined || other.preview_digest === undefined) return false;
  return canonicalJson({...one, preview_digest: ''}) === canonicalJson({...other, preview_digest: ''});
}

/** The answer that stands for a binding: none when there is no request, or it was used, withdrawn or expired. */
function standing(kernel: Kernel, binding: string): Exclude<ApprovalAnswer, TooManyOpen> | undefined {
  const approval = kernel.state.approvalFor(binding);
  if (!approval || isExpired(approval, kernel.ports.clock.timestamp())) return undefined;
  const {state} = approval;
  return isOpen(approval) || state === 'rejected' ? {answer: state as 'pending', approval} : undefined;
}

/** Why nobody was asked, and what to do about it. */
export function tooManyOpen(sessionId: string, {max, open}: TooManyOpen): string {
  const named = open.map((id) => `\`${id}\``).join(', ');
  return `session \`${sessionId}\` already has ${max} requests waiting for an answer (${named}): get one answered, or withdraw one with \`lumenflow approvals withdraw\``;
}
