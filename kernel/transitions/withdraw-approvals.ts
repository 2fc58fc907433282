// Requests that need no answer any more: withdrawn by an asker, or left behind by a task that has ended.
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import {decideWithdrawal, findApproval} from '../approvals/decide-approval.ts';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvent} from '../ports.ts';
import {isInProgress} from '../tasks/is-in-progress.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {fail, type TransitionResult} from '../transition.ts';
import {askersOf} from './askers-of.ts';
import {checkIds} from './check-ids.ts';
import {reconcileParked} from './reconcile-parked.ts';

export interface ApprovalWithdrawal {
  readonly request_id: string;
  /** The principal that asked, or that owns the task it was asked in. */
  readonly by: string;
  readonly reason?: string | undefined;
}

export async function withdrawApproval(
  kernel: Kernel,
  {request_id, by, reason}: ApprovalWithdrawal,
): Promise<TransitionResult<ApprovalRecord>> {
  const invalid = checkIds({request_id, by});
  if (invalid) return invalid;
  if (reason !== undefined && typeof reason !== 'string') return fail('INVALID_INPUT', '`reason` must be a text');
  const {clock, events} = kernel.ports;
  const refused = await events.transact(() => {
    const found = findApproval(kernel.state.approvals, request_id);
    if (!found.success) return {events: [], result: found};
    const given = {by, reason: reason ?? `\`${by}\` withdrew it`};
    const terms = {timestamp: clock.timestamp(), askers: askersOf(kernel, found.data)};
    const decided = decideWithdrawal(kernel.lifetimes.approval(found.data), given, terms);
    return decided.success ? {events: [decided.data], result: undefined} : {events: [], result: decided};
  });
  if (refused) return refused;
  const approval = kernel.state.approvals.get(request_id);
  if (approval?.subject.kind === 'changes') await reconcileParked(kernel);
  return findApproval(kernel.state.approvals, request_id);
}

/**
 * The requests that a task leaves behind when it ends: those of its run. A request for a claim has no run yet; it is withdrawn with
 * the session's last task.
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
      // Parked changes keep waiting: they can be applied without the task and the session.
      .filter(({subject}) => subject.kind !== 'changes')
      .filter(({subject}) => (subject.run_id === undefined ? isLast : subject.run_id === run_id))
      .map(({request_id}) => withdrawal(kernel, request_id, {actor, reason}))
  );
}

/** For tasks that ended without withdrawing their requests. */
export async function withdrawLeftBehind(kernel: Kernel): Promise<void> {
  const leftBehind = (): readonly ApprovalRecord[] =>
    [...kernel.state.approvals.open()].filter(
      (approval) => approval.subject.kind !== 'changes' && hasEnded(kernel, approval),
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

export function withdrawal(
  {ports}: Kernel,
  request_id: string,
  {actor, reason}: {readonly actor: string; readonly reason: string},
): NewEvent {
  return {type: 'approval_withdrawn', timestamp: ports.clock.timestamp(), actor, request_id, reason};
}
