// Uses an approval up. Of several identical calls, claims or completions between all processes, one gets it.
import {isExpired} from '../approvals/approval-record.ts';
import type {Kernel} from '../kernel.ts';
import type {NewEvent} from '../ports.ts';

/** Gives false when it was used, rejected or expired meanwhile. */
export async function consumeApproval(
  kernel: Kernel,
  requestId: string,
  usedBy: string,
  actor: string,
): Promise<boolean> {
  return await kernel.ports.events.transact(() => {
    const used = approvalUsedEvent(kernel, requestId, usedBy, actor);
    return {events: used ? [used] : [], result: used !== undefined};
  });
}

/** For a transaction that records more: the event that uses it up, or undefined when it stands no longer. */
export function approvalUsedEvent(
  {ports, state}: Kernel,
  requestId: string,
  usedBy: string,
  actor: string,
): NewEvent | undefined {
  const approval = state.approvals.get(requestId);
  const timestamp = ports.clock.timestamp();
  if (approval?.state !== 'approved' || isExpired(approval, timestamp)) return undefined;
  return {type: 'approval_used', timestamp, actor, request_id: requestId, used_by: usedBy};
}
