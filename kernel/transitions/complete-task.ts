// Completion: the session that owns the task reports it as done, and policy agrees, with the task's evidence.
import type {Person} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';
import {loadTask} from './claim-task.ts';
import {decideClaimed} from '../tasks/decide-task.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {runTransitionCheck, type TransitionCheckCall} from './run-transition-check.ts';
import {approvalUsedEvent} from './consume-approval.ts';
import {withdrawalsOf} from './withdraw-approvals.ts';
import {approvalGone, permitTransition} from './transition-policy.ts';

export interface CompleteCommand {
  readonly task_id: string;
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly session_id: string;
  readonly evidence_refs?: readonly string[] | undefined;
}

export async function completeTask(
  kernel: Kernel,
  command: CompleteCommand,
  transitionCheckCall: TransitionCheckCall,
): Promise<TransitionResult<TaskRecord>> {
  const {task_id, by, person, session_id, evidence_refs} = command;
  const invalid = checkIds({task_id, by, session_id});
  if (invalid) return invalid;
  if (evidence_refs?.every((ref) => typeof ref === 'string') === false)
    return fail('INVALID_INPUT', '`evidence_refs` must be a list of texts');
  const compiled = await loadTask(kernel, task_id);
  if (!compiled.success) return compiled;
  const decide = () => decideClaimed(kernel.state.tasks, {task_id, session_id, verb: 'complete'}, ['active']);
  const held = decide();
  if (!held.success) return held;

  const asked = {kind: 'completion' as const, task_id, run: held.data.run, by};
  const refused = await runTransitionCheck(kernel, compiled.data.task, asked, transitionCheckCall);
  if (refused) return refused;
  const {run_id} = held.data.run;
  const permitted = await permitTransition(kernel, {kind: 'completion', ...compiled.data, run_id, session_id, by});
  if (!permitted.success) return permitted;

  return await kernel.ports.events.transact<TransitionResult<TaskRecord>>(() => {
    const still = decide();
    if (!still.success) return {events: [], result: still};
    const timestamp = kernel.ports.clock.timestamp();
    const approvalId = permitted.data.approval_request_id;
    const events: NewEvent[] = [
      {
        type: 'task_completed',
        timestamp,
        actor: by,
        ...(person && {person}),
        task_id,
        decided_at: permitted.data.decided_at,
        policy_decisions: [...permitted.data.decisions],
        ...(permitted.data.observed && {observed: permitted.data.observed}),
        ...(evidence_refs && {evidence_refs: [...evidence_refs]}),
      },
    ];
    if (approvalId !== undefined) {
      const used = approvalUsedEvent(kernel, approvalId, run_id, by);
      if (!used) return {events: [], result: approvalGone(approvalId)};
      events.push(used);
    }
    const left = withdrawalsOf(kernel, still.data, {
      actor: by,
      reason: `task \`${task_id}\` was completed`,
    });
    events.push(...left.filter((event) => !('request_id' in event) || event.request_id !== approvalId));
    return {
      events,
      result: succeed({...still.data, state: 'done', completed_at: timestamp, evidence_refs: evidence_refs ?? []}),
    };
  });
}
