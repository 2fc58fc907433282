// Uses an approval up. Of several identical calls between all processes, one gets it.
import type {Kernel} from '../kernel.ts';
import {isExpired} from '../approvals/approval-record.ts';

/** Gives false when it was used, rejected or expired meanwhile. */
export async function takeApproval(kernel: Kernel, requestId: string, usedBy: string, actor: string): Promise<boolean> {
  const {clock, events} = kernel.ports;
  return await events.transact(() => {
    const approval = kernel.state.approvals.get(requestId);
    const timestamp = clock.timestamp();
    if (approval?.state !== 'approved' || isExpired(approval, timestamp)) return {events: [], result: false};
    return {
      events: [{type: 'approval_used' as const, timestamp, actor, request_id: requestId, used_by: usedBy}],
      result: true,
    };
  });
}
