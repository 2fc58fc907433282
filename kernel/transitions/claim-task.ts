// One claim of a task: of many at once, in all processes, one wins.
import type {Person} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import type {CompiledLane} from '../workspace/compiled-workspace.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import {decideClaim, findTask, type ClaimTerms} from '../tasks/decide-task.ts';
import type {TaskRun} from '../tasks/task-record.ts';
import {checkIds} from './check-ids.ts';
import {runTransitionCheck, type TransitionCheckCall} from './run-transition-check.ts';
import {releaseAbandoned} from './release-abandoned.ts';
import {approvalUsedEvent} from './consume-approval.ts';
import {approvalGone, permitTransition, type PermittedTransition} from './transition-policy.ts';

export interface ClaimCommand {
  readonly task_id: string;
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly session_id: string;
  /** The claim ends when this kernel closes or its process dies: the task is then released. Default: it stays. */
  readonly ends_with_process?: boolean;
}

export async function claimTask(
  kernel: Kernel,
  command: ClaimCommand,
  transitionCheckCall: TransitionCheckCall,
): Promise<TransitionResult<TaskRun>> {
  const {task_id, by, person, session_id} = command;
  const invalid = checkIds({task_id, by, session_id});
  if (invalid) return invalid;
  const compiled = await loadTask(kernel, task_id);
  if (!compiled.success) return compiled;
  const {task, lane} = compiled.data;
  await releaseAbandoned(kernel);
  const {ends_with_process = false} = command;
  const terms = {spec: task.spec, wip_limit: lane.spec.wip_limit, session_id, ends_with_process};
  const claimable = decideClaim(kernel.state.tasks, terms);
  if (!claimable.success) return claimable;

  const {clock, ids, processes} = kernel.ports;
  const run_id = ids.next('run');
  const process = ends_with_process && {process_id: processes.processId};
  const run: TaskRun = {run_id, session_id, by, claimed_at: clock.timestamp(), ...process};
  const refused = await runTransitionCheck(kernel, task, {kind: 'claim', task_id, run, by}, transitionCheckCall);
  if (refused) return refused;
  const permitted = await permitTransition(kernel, {kind: 'claim', task, lane, run_id, session_id, by});
  if (!permitted.success) return permitted;
  const claim = {run, person, task, terms, permitted: permitted.data};
  return await kernel.ports.events.transact(() => decideEvents(kernel, claim));
}

interface PermittedClaim {
  readonly run: TaskRun;
  readonly person: Person | undefined;
  /** As it was judged. */
  readonly task: CompiledTask;
  readonly terms: ClaimTerms;
  readonly permitted: PermittedTransition;
}

/** From the newest state, in which another may have been faster. */
function decideEvents(
  kernel: Kernel,
  {run, person, task, terms, permitted}: PermittedClaim,
): {readonly events: readonly NewEvent[]; readonly result: TransitionResult<TaskRun>} {
  const refused = (result: TransitionResult<never>) => ({events: [], result});
  const still = decideClaim(kernel.state.tasks, terms);
  if (!still.success) return refused(still);
  const {task_id, spec_hash} = still.data;
  if (spec_hash !== task.spec_hash) {
    return refused(fail('TASK_SPEC_CHANGED', `task \`${task_id}\` was amended in the meantime: claim it again`));
  }
  const timestamp = kernel.ports.clock.timestamp();
  const {by: actor, claimed_at: _, ...claimed} = run;
  const {decisions, decided_at, observed, approval_request_id: request_id} = permitted;
  const judged = {decided_at, policy_decisions: [...decisions], ...(observed && {observed})};
  const events: NewEvent[] = [
    {type: 'task_claimed', timestamp, actor, ...(person && {person}), task_id, ...claimed, ...judged},
  ];
  if (request_id !== undefined) {
    const used = approvalUsedEvent(kernel, request_id, run.run_id, actor);
    if (!used) return refused(approvalGone(request_id));
    events.push(used);
  }
  return {events, result: succeed({...run, claimed_at: timestamp})};
}

/** The task's verified spec and its lane, from the newest state. */
export async function loadTask(
  kernel: Kernel,
  taskId: string,
): Promise<TransitionResult<{readonly task: CompiledTask; readonly lane: CompiledLane}>> {
  if (!kernel.ports.specGuard.isIntact())
    return fail(
      'SPEC_TAMPERED',
      'workspace.yaml has changed or is missing since it was loaded: restart to load it again',
    );
  await kernel.ports.events.refresh();
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
