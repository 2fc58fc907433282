// One claim of a task: of many at once, in all processes, one wins.
import type {Kernel} from '../kernel.ts';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import type {CompiledLane} from '../workspace/compiled-workspace.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import {decideClaim, findTask} from '../tasks/decide-task.ts';
import type {TaskRun} from '../tasks/task-record.ts';
import {checkIds} from './check-ids.ts';
import {releaseAbandoned} from './release-abandoned.ts';
import {permitTransition} from './transition-policy.ts';

export interface ClaimCommand {
  readonly task_id: string;
  readonly by: string;
  readonly session_id: string;
  /** The claim ends when this kernel closes or its process dies: the task is then released. Default: it stays. */
  readonly ends_with_process?: boolean;
}

export async function claimTask(kernel: Kernel, command: ClaimCommand): Promise<TransitionResult<TaskRun>> {
  const {task_id, by, session_id} = command;
  const invalid = checkIds({task_id, by, session_id});
  if (invalid) return invalid;
  const compiled = await loadTask(kernel, task_id);
  if (!compiled.success) return compiled;
  const {task, lane} = compiled.data;
  await releaseAbandoned(kernel);
  const terms = {spec: task.spec, wip_limit: lane.spec.wip_limit, session_id};
  const claimable = decideClaim(kernel.state.tasks, terms);
  if (!claimable.success) return claimable;

  const run_id = kernel.ports.ids.next('run');
  const permitted = await permitTransition(kernel, {kind: 'claim', task, lane, run_id, session_id, by});
  if (!permitted.success) return permitted;

  const process = command.ends_with_process === true && {process_id: kernel.ports.processes.processId};
  return await kernel.ports.events.transact<TransitionResult<TaskRun>>(() => {
    const still = decideClaim(kernel.state.tasks, terms);
    if (!still.success) return {events: [], result: still};
    if (still.data.spec_hash !== task.spec_hash) {
      return {
        events: [],
        result: fail('TASK_SPEC_CHANGED', `task \`${task_id}\` was amended meanwhile: claim it anew`),
      };
    }
    const timestamp = kernel.ports.clock.timestamp();
    const approvalId = permitted.data.approval_request_id;
    const events: NewEvent[] = [
      {
        type: 'task_claimed',
        timestamp,
        actor: by,
        task_id,
        run_id,
        session_id,
        ...process,
        policy_decisions: [...permitted.data.decisions],
      },
    ];
    if (approvalId !== undefined) {
      if (kernel.state.approvals.get(approvalId)?.state !== 'approved') {
        return {events: [], result: fail('POLICY_DENIED', `approval \`${approvalId}\` was used meanwhile`)};
      }
      events.push({type: 'approval_used', timestamp, actor: by, request_id: approvalId, used_by: run_id});
    }
    return {events, result: succeed({run_id, session_id, by, claimed_at: timestamp, ...process})};
  });
}

/** The task's verified spec and its lane, from the newest state. */
export async function loadTask(
  kernel: Kernel,
  taskId: string,
): Promise<TransitionResult<{readonly task: CompiledTask; readonly lane: CompiledLane}>> {
  if (!kernel.ports.specGuard.isIntact())
    return fail('SPEC_TAMPERED', 'workspace.yaml is not the file that was loaded: restart to load it anew');
  kernel.ports.events.refresh();
  const found = findTask(kernel.state.tasks, taskId);
  if (!found.success) return found;
  const task = await kernel.tasks.get(found.data);
  if (task === 'changed')
    return fail('TASK_SPEC_CHANGED', `the spec of task \`${taskId}\` is not the one it was created with`);
  const lane = kernel.workspace.lanes.get(found.data.lane_id);
  return lane
    ? succeed({task, lane})
    : fail(
        'LANE_NOT_FOUND',
        `task \`${taskId}\` is in lane \`${found.data.lane_id}\`, which workspace.yaml does not have`,
      );
}
