// The fold of an approval's events.
import type {KernelEvent} from '@lumenflow/schemas';
import {isOpen, type ApprovalRecord} from './approval-record.ts';

export type ApprovalEvent = Extract<KernelEvent, {type: `approval_${string}`}>;

export function isApprovalEvent(event: KernelEvent): event is ApprovalEvent {
  return event.type.startsWith('approval_');
}

export function evolveApproval(approval: ApprovalRecord | undefined, event: ApprovalEvent): ApprovalRecord | undefined {
  if (event.type === 'approval_requested') {
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
    };
  }
  if (approval === undefined) return undefined;
  if (event.type === 'approval_used') return {...approval, state: 'used', used_by: event.used_by};
  if (event.type === 'approval_withdrawn') return withdrawn(approval, event);
  return {
    ...approval,
    state: event.approved ? 'approved' : 'rejected',
    resolved_by: event.actor,
    resolved_at: event.timestamp,
    ...(event.reason === undefined ? {} : {reason: event.reason}),
    ...(event.channel === undefined ? {} : {channel: event.channel}),
  };
}

/** A request that was answered or used before stays unchanged. */
function withdrawn(
  approval: ApprovalRecord,
  {actor, timestamp, reason, superseded_by}: Extract<ApprovalEvent, {type: 'approval_withdrawn'}>,
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
