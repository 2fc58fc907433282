// Which transition of an approval request is allowed: pure, from the newest state.
// pending → approved → used; pending → rejected; pending or approved → withdrawn. Expiry ends both, by the clock.
import type {PasskeyAssertion, Person} from '@lumenflow/schemas';
import type {NewEvent} from '../ports.ts';
import {isSamePerson} from '../names/is-same-person.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {missingText} from './missing-text.ts';
import {isExpired, isOpen, type ApprovalRecord} from './approval-record.ts';

export interface ApprovalResolution {
  readonly request_id: string;
  readonly approved: boolean;
  /** The person who answers; not the actor of the session that asked, unless the rule says `self_approval: true`. */
  readonly approved_by: string;
  /** The identity of `approved_by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly reason?: string | undefined;
  /** inband: the person answers in the conversation that asked; it counts where the rules say `channel: inband`. */
  readonly channel?: 'inband' | 'link';
  /** Of an answer by a signed link: each link is used once. */
  readonly link_id?: string;
  /** Of an approval that a passkey of the person signed. */
  readonly assertion?: PasskeyAssertion | undefined;
}

/** What a decision needs besides the request. */
export interface ApprovalTerms {
  /** UTC ISO 8601 with milliseconds. */
  readonly timestamp: string;
  /** The principals whose request it is. */
  readonly askers: readonly string[];
}

export function findApproval(
  approvals: Pick<ReadonlyMap<string, ApprovalRecord>, 'get'>,
  requestId: string,
): TransitionResult<ApprovalRecord> {
  const approval = approvals.get(requestId);
  return approval ? succeed(approval) : fail('APPROVAL_NOT_FOUND', `there is no approval request \`${requestId}\``);
}

/** A person's answer: the event that records it. */
export function decideResolution(
  approval: ApprovalRecord,
  {approved, approved_by, person, reason, channel, link_id, assertion}: ApprovalResolution,
  {timestamp, askers}: ApprovalTerms,
): TransitionResult<NewEvent> {
  const {request_id} = approval;
  const over = refuseOver(approval, {link_id, timestamp});
  if (over) return over;
  const mayAnswer = approval.self_approval || (channel === 'inband' && approval.inband === true);
  if (!mayAnswer && askers.some((asker) => isSamePerson(asker, approved_by))) {
    const part = isSamePerson(approved_by, approval.requested_by) ? 'asked for this' : 'owns the task';
    return fail('SELF_APPROVAL', `\`${approved_by}\` ${part} and cannot answer it: another person must`, {request_id});
  }
  const unsuited = refuseApprover(approval, {approved, approved_by});
  if (unsuited) return unsuited;
  return succeed({
    type: 'approval_resolved',
    timestamp,
    actor: approved_by,
    request_id,
    ...(person && {person}),
    approved,
    ...(reason !== undefined && {reason}),
    ...(channel !== undefined && {channel}),
    ...(link_id !== undefined && {link_id}),
    ...(assertion && {assertion}),
  });
}

/** Why a request, or the link by which it is answered, takes no answer any more. */
function refuseOver(
  approval: ApprovalRecord,
  {link_id, timestamp}: {readonly link_id: string | undefined; readonly timestamp: string},
): TransitionResult<never> | undefined {
  const {request_id} = approval;
  if (isExpired(approval, timestamp)) {
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
  if (link_id === undefined || approval.used_links?.includes(link_id) !== true) return undefined;
  return fail('APPROVAL_RESOLVED', 'this link was used: ask for another one', {request_id});
}

/** Approvers that the rules name can reject, and each can approve once. */
function refuseApprover(
  {request_id, rules, answers = [], missing}: ApprovalRecord,
  {approved, approved_by}: Pick<ApprovalResolution, 'approved' | 'approved_by'>,
): TransitionResult<never> | undefined {
  if (missing === undefined) return undefined;
  if (approved && answers.some(({by}) => isSamePerson(by, approved_by))) {
    const message = `\`${approved_by}\` has already approved request \`${request_id}\`: ${missingText(missing)}`;
    return fail('APPROVAL_RESOLVED', message, {request_id, missing});
  }
  const groups = approved ? missing : rules.map(({approvers}) => ({by: approvers?.by}));
  if (groups.some(({by}) => by === undefined || by.includes(approved_by))) return undefined;
  const message = `\`${approved_by}\` is not an approver of request \`${request_id}\`: ${missingText(missing)}`;
  return fail('APPROVER_NOT_NAMED', message, {request_id, missing});
}

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

/** The event that consumes an approval; undefined unless the request is approved and current. */
export function decideUse(
  approval: ApprovalRecord | undefined,
  {timestamp, actor, used_by}: {readonly timestamp: string; readonly actor: string; readonly used_by: string},
): NewEvent | undefined {
  if (approval?.state !== 'approved' || isExpired(approval, timestamp)) return undefined;
  return {type: 'approval_used', timestamp, actor, request_id: approval.request_id, used_by};
}

/** Only an asker can withdraw a request, and only an open one. */
export function decideWithdrawal(
  approval: ApprovalRecord,
  {by, reason}: {readonly by: string; readonly reason: string},
  {timestamp, askers}: ApprovalTerms,
): TransitionResult<NewEvent> {
  const {request_id, requested_by} = approval;
  if (!askers.includes(by)) {
    const message = `approval request \`${request_id}\` was made by \`${requested_by}\`: only \`${requested_by}\` can withdraw it`;
    return fail('APPROVAL_OF_ANOTHER', message, {requested_by});
  }
  if (isOpen(approval) && !isExpired(approval, timestamp)) {
    return succeed({type: 'approval_withdrawn', timestamp, actor: by, request_id, reason});
  }
  const state = isOpen(approval) ? 'expired' : approval.state;
  return fail('APPROVAL_RESOLVED', `approval request \`${request_id}\` is ${state}: nothing is left to withdraw`, {
    state,
  });
}
