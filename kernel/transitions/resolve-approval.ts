// A person's answer to a request: stored with who, when and why; given once.
import type {Kernel} from '../kernel.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {isExpired, type ApprovalRecord} from '../approvals/approval-record.ts';
import {askersOf} from './askers-of.ts';
import {settleKept} from './settle-kept.ts';
import {checkIds} from './check-ids.ts';

export interface ApprovalResolution {
  readonly request_id: string;
  readonly approved: boolean;
  /** The person who answers; not the actor of the session that asked, unless the rule says `self_approval: true`. */
  readonly approved_by: string;
  readonly reason?: string;
  /** inband: the person answers in the conversation that asked; it counts where the rules say `channel: inband`. */
  readonly channel?: 'inband';
}

export async function resolveApproval(
  kernel: Kernel,
  resolution: ApprovalResolution,
): Promise<TransitionResult<ApprovalRecord>> {
  const {request_id, approved, approved_by, reason, channel} = resolution;
  const invalid = checkIds({request_id, approved_by});
  if (invalid) return invalid;
  if (typeof approved !== 'boolean') return fail('INVALID_INPUT', '`approved` must be true or false');
  if (reason !== undefined && typeof reason !== 'string') return fail('INVALID_INPUT', '`reason` must be a text');
  const decided = await kernel.ports.events.transact(() => {
    const refusal = whyNot(kernel, resolution);
    if (refusal) return {events: [], result: refusal};
    const event = {
      type: 'approval_resolved' as const,
      timestamp: kernel.ports.clock.timestamp(),
      actor: approved_by,
      request_id,
      approved,
      ...(reason !== undefined && {reason}),
      ...(channel !== undefined && {channel}),
    };
    return {events: [event], result: undefined};
  });
  const approval = kernel.state.approvals.get(request_id);
  if (decided) return decided;
  if (approval?.subject.kind === 'changes') await settleAnswered(kernel, approval);
  const settled = kernel.state.approvals.get(request_id);
  return settled ? succeed(settled) : fail('APPROVAL_NOT_FOUND', `there is no approval request \`${request_id}\``);
}

/** Another process may have begun before: then it is the one that settles them. */
async function settleAnswered(
  kernel: Kernel,
  {state, subject, resolved_by = '', reason}: ApprovalRecord,
): Promise<void> {
  const {receipt_id} = subject;
  if (receipt_id === undefined || kernel.ports.dispatcher.parked === undefined) return;
  const intent = state === 'approved' ? 'apply' : 'discard';
  await settleKept(kernel, {receipt_id, intent, by: resolved_by, ...(reason !== undefined && {reason})});
}

function whyNot(
  kernel: Kernel,
  {request_id, approved_by, channel}: ApprovalResolution,
): TransitionResult<never> | undefined {
  const approval = kernel.state.approvals.get(request_id);
  if (!approval) return fail('APPROVAL_NOT_FOUND', `there is no approval request \`${request_id}\``);
  if (isExpired(approval, kernel.ports.clock.timestamp())) {
    return fail(
      'APPROVAL_EXPIRED',
      `approval request \`${request_id}\` expired at ${approval.expires_at}: make the call again to send a new request`,
    );
  }
  if (approval.state === 'withdrawn') return wasWithdrawn(approval);
  if (approval.state !== 'pending') {
    return fail(
      'APPROVAL_RESOLVED',
      `approval request \`${request_id}\` is ${approval.state}, by \`${approval.resolved_by ?? ''}\``,
    );
  }
  const mayAnswer = approval.self_approval || (channel === 'inband' && approval.inband === true);
  if (!mayAnswer && askersOf(kernel, approval).includes(approved_by)) {
    const part = approved_by === approval.requested_by ? 'asked for this' : 'owns the task';
    return fail('SELF_APPROVAL', `\`${approved_by}\` ${part} and may not answer it: another person must`, {request_id});
  }
  return undefined;
}

/** Nobody waits for the answer any more. */
function wasWithdrawn(approval: ApprovalRecord): TransitionResult<never> {
  const {request_id, withdrawn_by, withdrawn_at, withdrawn_reason = '', superseded_by} = approval;
  const instead = superseded_by === undefined ? '' : `; answer \`${superseded_by}\` instead`;
  return fail('APPROVAL_WITHDRAWN', `approval request \`${request_id}\` was withdrawn: ${withdrawn_reason}${instead}`, {
    withdrawn_by,
    withdrawn_at,
    withdrawn_reason,
    ...(superseded_by !== undefined && {superseded_by}),
  });
}
