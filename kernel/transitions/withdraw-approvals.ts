// Requests that nobody should answer any more: taken back by who asked, or left behind by a task that has ended.
import {isExpired, isOpen, type ApprovalRecord} from '../approvals/approval-record.ts';
import type {Kernel} from '../kernel.ts';
import type {NewEvent} from '../ports.ts';
import {isInProgress} from '../tasks/decide-task.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {askersOf} from './askers-of.ts';
import {checkIds} from './check-ids.ts';
import {reconcileParked} from './reconcile-parked.ts';

export interface ApprovalWithdrawal {
  readonly request_id: string;
  /** The principal that asked, or that holds the task it was asked in. */
  readonly by: string;
  readonly reason?: string;
}

export async function withdrawApproval(
  kernel: Kernel,
  {request_id, by, reason}: ApprovalWithdrawal,
): Promise<TransitionResult<ApprovalRecord>> {
  const invalid = checkIds({request_id, by});
  if (invalid) return invalid;
  if (reason !== undefined && typeof reason !== 'string') return fail('INVALID_INPUT', '`reason` must be a text');
  const refused = await kernel.ports.events.transact(() => {
    const refusal = whyNot(kernel, request_id, by);
    if (refusal) return {events: [], result: refusal};
    const event = withdrawal(kernel, request_id, {
      actor: by,
      reason: reason ?? `\`${by}\` withdrew it`,
    });
    return {events: [event], result: undefined};
  });
  if (refused) return refused;
  const approval = kernel.state.approvals.get(request_id);
  if (approval?.subject.kind === 'changes') await reconcileParked(kernel);
  return approval ? succeed(approval) : fail('APPROVAL_NOT_FOUND', `there is no approval request \`${request_id}\``);
}

function whyNot(kernel: Kernel, requestId: string, by: string): TransitionResult<never> | undefined {
  const approval = kernel.state.approvals.get(requestId);
  if (!approval) return fail('APPROVAL_NOT_FOUND', `there is no approval request \`${requestId}\``);
  if (!askersOf(kernel, approval).includes(by)) {
    const message = `approval request \`${requestId}\` was made by \`${approval.requested_by}\`: only \`${approval.requested_by}\` can withdraw it`;
    return fail('APPROVAL_OF_ANOTHER', message, {requested_by: approval.requested_by});
  }
  if (isOpen(approval) && !isExpired(approval, kernel.ports.clock.timestamp())) return undefined;
  const state = isOpen(approval) ? 'expired' : approval.state;
  return fail('APPROVAL_RESOLVED', `approval request \`${requestId}\` is ${state}: nothing is left to withdraw`, {
    state,
  });
}

/**
 * What a task that ends leaves behind: what was asked in its run. A claim is asked for before its run exists; it goes
 * with the last task of the session that asked.
 */
export function withdrawalsOf(
  kernel: Kernel,
  {task_id, run}: Pick<TaskRecord, 'task_id' | 'run'>,
  {actor, reason}: {readonly actor: string; readonly reason: string},
): readonly NewEvent[] {
  if (run === undefined) return [];
  const {run_id, session_id} = run;
  const isLast = kernel.state.claimedBy(session_id).every((held) => held.task_id === task_id);
  return (
    kernel.state
      .openApprovals(session_id)
      // What a call has changed waits on: it needs neither task nor session to be applied.
      .filter(({subject}) => subject.kind !== 'changes')
      .filter(({subject}) => (subject.run_id === undefined ? isLast : subject.run_id === run_id))
      .map(({request_id}) => withdrawal(kernel, request_id, {actor, reason}))
  );
}

/** Of tasks that ended when nobody withdrew what they had asked for. */
export async function withdrawLeftBehind(kernel: Kernel): Promise<void> {
  const leftBehind = (): readonly ApprovalRecord[] =>
    [...kernel.state.approvals.values()].filter(
      (approval) => approval.subject.kind !== 'changes' && isOpen(approval) && hasEnded(kernel, approval),
    );
  if (leftBehind().length === 0) return;
  const reason = 'the task that it was asked in has ended';
  await kernel.ports.events.transact(() => ({
    events: leftBehind().map(({request_id}) =>
      withdrawal(kernel, request_id, {actor: 'kernel.reconciliation', reason}),
    ),
    result: undefined,
  }));
}

function hasEnded({state}: Kernel, {subject}: ApprovalRecord): boolean {
  if (subject.run_id === undefined) return false;
  const task = state.tasks.get(subject.task_id);
  return task === undefined || !isInProgress(task) || task.run?.run_id !== subject.run_id;
}

function withdrawal(
  {ports}: Kernel,
  request_id: string,
  {actor, reason}: {readonly actor: string; readonly reason: string},
): NewEvent {
  return {type: 'approval_withdrawn', timestamp: ports.clock.timestamp(), actor, request_id, reason};
}
