// The approvals of a workspace, as they are now.
import type {StandingApproval} from '../approvals/approval-record.ts';
import type {Kernel} from '../context/kernel.ts';

export interface ApprovalFilter {
  readonly state?: StandingApproval['state'];
  readonly task_id?: string;
}

export function listApprovals(
  state: Kernel['state'],
  lifetimes: Kernel['lifetimes'],
  filter: ApprovalFilter = {},
): readonly StandingApproval[] {
  const {task_id, state: wanted} = filter;
  return [...state.approvals.values()]
    .filter(({subject}) => task_id === undefined || subject.task_id === task_id)
    .map((approval) => lifetimes.approval(approval))
    .filter((approval) => wanted === undefined || approval.state === wanted);
}
