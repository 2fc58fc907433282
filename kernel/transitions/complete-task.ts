// Completion: the session that holds the task says it is done, and policy agrees with the evidence at hand.
import type {ToolOutput} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';
import {loadTask} from './claim-task.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import {decideHeld} from '../tasks/decide-task.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';
import {completionCheckOf} from '../workspace/completion-check.ts';
import {permitTransition} from './transition-policy.ts';

export interface CompleteCommand {
  readonly task_id: string;
  readonly by: string;
  readonly session_id: string;
  readonly evidence_refs?: readonly string[];
}

/** Calls the tool in the held task, with an empty input. */
export type CheckCompletion = (
  tool: string,
  held: {readonly task_id: string; readonly run: TaskRun; readonly by: string},
) => Promise<ToolOutput>;

export async function completeTask(
  kernel: Kernel,
  command: CompleteCommand,
  check: CheckCompletion,
): Promise<TransitionResult<TaskRecord>> {
  const {task_id, by, session_id, evidence_refs} = command;
  const invalid = checkIds({task_id, by, session_id});
  if (invalid) return invalid;
  if (evidence_refs?.every((ref) => typeof ref === 'string') === false)
    return fail('INVALID_INPUT', '`evidence_refs` must be a list of texts');
  const compiled = await loadTask(kernel, task_id);
  if (!compiled.success) return compiled;
  const decide = () => decideHeld(kernel.state.tasks, {task_id, session_id, verb: 'complete'}, ['active']);
  const held = decide();
  if (!held.success) return held;

  const refused = await refusedByCheck(kernel, compiled.data.task, {task_id, run: held.data.run, by}, check);
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
        task_id,
        policy_decisions: [...permitted.data.decisions],
        ...(evidence_refs && {evidence_refs: [...evidence_refs]}),
      },
    ];
    if (approvalId !== undefined) {
      if (kernel.state.approvals.get(approvalId)?.state !== 'approved') {
        return {events: [], result: fail('POLICY_DENIED', `approval \`${approvalId}\` was used meanwhile`)};
      }
      events.push({type: 'approval_used', timestamp, actor: by, request_id: approvalId, used_by: run_id});
    }
    return {
      events,
      result: succeed({...still.data, state: 'done', completed_at: timestamp, evidence_refs: evidence_refs ?? []}),
    };
  });
}

/** Its receipt is part of the evidence that rules of on_completion see. */
async function refusedByCheck(
  {workspace}: Kernel,
  {spec}: CompiledTask,
  held: Parameters<CheckCompletion>[1],
  check: CheckCompletion,
): Promise<TransitionResult<never> | undefined> {
  const tool = completionCheckOf(workspace, spec);
  if (tool === undefined) return undefined;
  const {success, error, metadata} = await check(tool, held);
  if (success) return undefined;
  const {code = 'TOOL_EXECUTION_FAILED', message = 'it failed', details} = error ?? {};
  return fail(
    code === 'APPROVAL_REQUIRED' ? code : 'COMPLETION_CHECK_FAILED',
    `the check \`${tool}\` refuses the completion of task \`${spec.id}\`: ${message}`,
    {...details, tool_name: tool, cause: code, ...(metadata && {receipt_id: metadata.receipt_id})},
  );
}
