// The principals whose request it is: the requester, and the owner of the session, because a session can ask under another
// name.
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {Kernel} from '../context/kernel.ts';

export function askersOf(
  {state}: Kernel,
  {requested_by, subject}: ApprovalRecord,
): readonly [string, ...(readonly string[])] {
  const run = state.tasks.get(subject.task_id)?.run;
  return run?.session_id === subject.session_id ? [requested_by, run.by] : [requested_by];
}
