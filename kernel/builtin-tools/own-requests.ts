// The kernel's own tools about requests for approval, for the clients that made them: what became of one, and taking it back.
import type {ApprovalRecord, StandingApproval} from '../approvals/approval-record.ts';
import type {KeptChanges} from '../changes/kept-changes.ts';
import type {Kernel} from '../context/kernel.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {askersOf} from '../transitions/askers-of.ts';
import {reconcileParked} from '../transitions/reconcile-parked.ts';
import {withdrawApproval} from '../transitions/withdraw-approvals.ts';
import type {Caller} from './caller.ts';

export interface RequestView {
  readonly request_id: string;
  readonly state: StandingApproval['state'];
  readonly kind: ApprovalRecord['subject']['kind'];
  readonly tool_name?: string;
  readonly expires_at: string;
  readonly resolved_by?: string;
  readonly reason?: string;
  /** Of parked changes. */
  readonly receipt_id?: string;
  readonly changes_state?: KeptChanges['state'];
  readonly conflicts?: readonly string[];
  /** What the caller does now. */
  readonly next: string;
}

export async function showOwnRequest(
  kernel: Kernel,
  {by}: Caller,
  {request_id}: {readonly request_id: string},
): Promise<TransitionResult<RequestView>> {
  await kernel.ports.events.refresh();
  await reconcileParked(kernel);
  const approval = kernel.state.approvals.get(request_id);
  if (approval === undefined || !askersOf(kernel, approval).includes(by)) return notFound(request_id);
  return succeed(viewOf(kernel, approval));
}

export async function withdrawOwnRequest(
  kernel: Kernel,
  {by}: Caller,
  {request_id, reason}: {readonly request_id: string; readonly reason?: string},
): Promise<TransitionResult<RequestView>> {
  const approval = kernel.state.approvals.get(request_id);
  if (approval === undefined || !askersOf(kernel, approval).includes(by)) return notFound(request_id);
  const withdrawn = await withdrawApproval(kernel, {request_id, by, reason});
  return withdrawn.success ? succeed(viewOf(kernel, withdrawn.data)) : withdrawn;
}

/** Requests of others count as missing. */
function notFound(requestId: string): TransitionResult<never> {
  return fail('APPROVAL_NOT_FOUND', `there is no request \`${requestId}\` of yours`, {request_id: requestId});
}

function viewOf({lifetimes, state}: Kernel, approval: ApprovalRecord): RequestView {
  const standing = lifetimes.approval(approval);
  const {request_id, subject, expires_at, resolved_by, reason} = standing;
  const kept = subject.receipt_id === undefined ? undefined : state.changes.get(subject.receipt_id);
  return {
    request_id,
    state: standing.state,
    kind: subject.kind,
    ...(subject.tool_name !== undefined && {tool_name: subject.tool_name}),
    expires_at,
    ...(resolved_by !== undefined && {resolved_by}),
    ...(reason !== undefined && {reason}),
    ...(kept && {receipt_id: kept.receipt_id, changes_state: kept.state}),
    ...(kept?.conflicts && {conflicts: kept.conflicts}),
    next: kept === undefined ? afterAnswer[standing.state] : afterParking[kept.state],
  };
}

const overText = 'this request is closed: nothing more happens';

const afterAnswer: Readonly<Record<StandingApproval['state'], string>> = {
  pending: 'wait: a person has not answered yet',
  approved: 'call the tool again with the same arguments: the approval is valid for one call',
  rejected: 'do not make the call again: a person has rejected it',
  expired: 'make the call again to send a new request',
  withdrawn: overText,
  used: overText,
};

const afterParking: Readonly<Record<KeptChanges['state'], string>> = {
  parked: 'wait: a person has not answered yet, and nothing is applied',
  settling: 'ask again in a moment: the answer is being carried out',
  applied: 'continue: the changes are in the workspace',
  discarded: 'the changes were discarded: the workspace is as before the call',
  conflict:
    'nothing was applied because the paths in `conflicts` changed in the meantime: read them, then make the call again',
  failed: 'the changes could not be applied: ask the operator to look at the receipt',
};
