// What a decision of approval_required leads to: an open request, a person's answer, or a new request.
import type {ApprovalSubject, PolicyDecision} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../kernel.ts';
import {approvalTtlMs} from '../limits.ts';
import {isExpired, type ApprovalRecord} from '../approvals/approval-record.ts';

export interface ApprovalQuestion {
  readonly subject: ApprovalSubject;
  readonly input_ref?: string;
  /** Whose session asks. */
  readonly actor: string;
  readonly rules: readonly PolicyDecision[];
  readonly self_approval: boolean;
  readonly inband: boolean;
}

export type ApprovalAnswer =
  | {readonly answer: 'approved'; readonly approval: ApprovalRecord}
  | {readonly answer: 'rejected'; readonly approval: ApprovalRecord}
  | {readonly answer: 'pending'; readonly approval: ApprovalRecord};

/** Finds the request for exactly this subject, or makes one; durable before it answers. */
export async function askApproval(kernel: Kernel, question: ApprovalQuestion): Promise<ApprovalAnswer> {
  const {clock, digest, events, ids} = kernel.ports;
  const binding = digest.sha256(canonicalJson(question.subject));
  const known = standing(kernel, binding);
  if (known) return known;
  const request_id = await events.transact(() => {
    const meanwhile = kernel.state.approvalFor(binding);
    if (meanwhile && standing(kernel, binding)) return {events: [], result: meanwhile.request_id};
    const fresh = ids.next('apr');
    const event = {
      type: 'approval_requested' as const,
      timestamp: clock.timestamp(),
      actor: question.actor,
      request_id: fresh,
      binding,
      subject: question.subject,
      expires_at: clock.timestamp(approvalTtlMs),
      rules: [...question.rules],
      self_approval: question.self_approval,
      ...(question.inband && {inband: true}),
      ...(question.input_ref !== undefined && {input_ref: question.input_ref}),
    };
    return {events: [event], result: fresh};
  });
  const approval = kernel.state.approvals.get(request_id);
  if (!approval) throw new Error(`the approval request ${request_id} was appended but not folded`);
  return standing(kernel, binding) ?? {answer: 'pending', approval};
}

/** The answer that stands for a binding: none when there is no request, or it was used or expired. */
function standing(kernel: Kernel, binding: string): ApprovalAnswer | undefined {
  const approval = kernel.state.approvalFor(binding);
  if (!approval || approval.state === 'used' || isExpired(approval, kernel.ports.clock.timestamp())) return undefined;
  return {answer: approval.state, approval};
}
