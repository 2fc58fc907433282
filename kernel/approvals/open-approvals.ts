// Which requests of each session can still be answered or used, kept while events are folded: every new request asks.
import {isOpen, type ApprovalRecord} from './approval-record.ts';

export interface OpenApprovals {
  /** In the order they were asked for; some may have expired. */
  of(sessionId: string): readonly ApprovalRecord[];
  /** Must be called for every change of a request. */
  change(approval: ApprovalRecord): void;
}

/** `before`: those that are open already. */
export function createOpenApprovals(before: Iterable<ApprovalRecord> = []): OpenApprovals {
  const bySession = new Map<string, Map<string, ApprovalRecord>>();
  const approvals: OpenApprovals = {
    of: (sessionId) => [...(bySession.get(sessionId)?.values() ?? [])],
    change(approval) {
      const {session_id} = approval.subject;
      const open = bySession.get(session_id) ?? new Map<string, ApprovalRecord>();
      if (isOpen(approval)) bySession.set(session_id, open.set(approval.request_id, approval));
      else if (open.delete(approval.request_id) && open.size === 0) bySession.delete(session_id);
    },
  };
  for (const approval of before) approvals.change(approval);
  return approvals;
}
