// A request for approval as people are shown it: that it has expired is told by the clock alone, not by its record.
import {approvalStateAt, type ApprovalRecord} from '@lumenflow/kernel';

export interface ShownApproval extends Omit<ApprovalRecord, 'state'> {
  readonly state: ReturnType<typeof approvalStateAt>;
}

export function shownApproval(approval: ApprovalRecord, now: Date = new Date()): ShownApproval {
  return {...approval, state: approvalStateAt(approval, now.toISOString())};
}
