// Whose request it is: whoever asked, and whose session it was asked in, since a session may be told to ask under
// another name.
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {Kernel} from '../kernel.ts';

export function askersOf(
  {state}: Kernel,
  {requested_by, subject}: ApprovalRecord,
): readonly [string, ...(readonly string[])] {
  const run = state.tasks.get(subject.task_id)?.run;
  return run?.session_id === subject.session_id ? [requested_by, run.by] : [requested_by];
}
