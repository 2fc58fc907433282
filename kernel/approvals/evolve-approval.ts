// The fold of an approval's events.
import type {KernelEvent} from '@lumenflow/schemas';
import {missingApprovals} from './missing-approvals.ts';
import {isOpen, type ApprovalRecord} from './approval-record.ts';

export type ApprovalEvent = Extract<KernelEvent, {type: `approval_${string}`}>;

type Resolved = Extract<ApprovalEvent, {type: 'approval_resolved'}>;

export function isApprovalEvent(event: KernelEvent): event is ApprovalEvent {
  return event.type.startsWith('approval_');
}

export function evolveApproval(approval: ApprovalRecord | undefined, event: ApprovalEvent): ApprovalRecord | undefined {
  if (event.type === 'approval_requested') return requested(event);
  if (approval === undefined) return undefined;
  if (event.type === 'approval_used') return {...approval, state: 'used', used_by: event.used_by};
  if (event.type === 'approval_withdrawn') return withdrawn(approval, event);
  const linked = withLink(approval, event);
  const {missing = [], ...answered} = event.approved ? withAnswer(linked, event) : linked;
  if (event.approved && missing.length > 0) return {...answered, missing};
  return {
    ...answered,
    state: event.approved ? 'approved' : 'rejected',
    resolved_by: event.actor,
    ...(event.person && {resolved_by_person: event.person}),
    resolved_at: event.timestamp,
    ...(event.reason === undefined ? {} : {reason: event.reason}),
    ...(event.channel === undefined ? {} : {channel: event.channel}),
  };
}

function requested(event: Extract<ApprovalEvent, {type: 'approval_requested'}>): ApprovalRecord {
  const {request_id, binding, subject, expires_at, rules, actor, timestamp, preview} = event;
  return {
    request_id,
    binding,
    subject,
    expires_at,
    rules,
    requested_by: actor,
    requested_at: timestamp,
    self_approval: event.self_approval ?? false,
    ...(event.inband === true && {inband: true}),
    state: 'pending',
    ...(event.input_ref === undefined ? {} : {input_ref: event.input_ref}),
    ...(preview && {preview}),
    ...(rules.some(({approvers}) => approvers) && {missing: missingApprovals({rules, requested_by: actor}, [])}),
  };
}

function withLink(approval: ApprovalRecord, {link_id}: Resolved): ApprovalRecord {
  return link_id === undefined ? approval : {...approval, used_links: [...(approval.used_links ?? []), link_id]};
}

/** One of several approvals that the rules of a request ask for. */
function withAnswer(
  approval: ApprovalRecord,
  {actor: by, person, timestamp: at, reason, assertion}: Resolved,
): ApprovalRecord {
  if (approval.missing === undefined) return approval;
  const answers = [
    ...(approval.answers ?? []),
    {
      by,
      ...(person && {person}),
      at,
      ...(reason !== undefined && {reason}),
      ...(assertion && {passkey_id: assertion.passkey_id}),
    },
  ];
  return {...approval, answers, missing: missingApprovals(approval, answers)};
}

type Withdrawal = Pick<
  Extract<ApprovalEvent, {type: 'approval_withdrawn'}>,
  'actor' | 'timestamp' | 'reason' | 'superseded_by'
>;

/** A request that was answered or used before stays unchanged. */
export function withdrawn(
  approval: ApprovalRecord,
  {actor, timestamp, reason, superseded_by}: Withdrawal,
): ApprovalRecord {
  if (!isOpen(approval)) return approval;
  return {
    ...approval,
    state: 'withdrawn',
    withdrawn_by: actor,
    withdrawn_at: timestamp,
    withdrawn_reason: reason,
    ...(superseded_by !== undefined && {superseded_by}),
  };
}
