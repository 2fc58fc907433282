// Which transition of a task is allowed: pure, from the newest state.
// ready → active ⇄ blocked; active → done; active or blocked → ready (release); ready → cancelled.
import type {TaskSpec} from '@lumenflow/schemas';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {countsTowardsWip} from './counts-towards-wip.ts';
import {isInProgress} from './is-in-progress.ts';
import type {Records} from '../records/record-table.ts';
import type {TaskRecord} from './task-record.ts';

export type Tasks = Pick<Records<TaskRecord>, 'get' | 'open'>;

export function findTask(tasks: Pick<Tasks, 'get'>, taskId: string): TransitionResult<TaskRecord> {
  const task = tasks.get(taskId);
  return task
    ? succeed(task)
    : fail('TASK_NOT_FOUND', `there is no task \`${taskId}\`: create it first`, {task_id: taskId});
}

export interface ClaimTerms {
  readonly spec: TaskSpec;
  readonly wip_limit: number | undefined;
  /** The session that claims. Its own task of another type does not count against the limit. */
  readonly session_id?: string;
  /** A claim that ends with its process: it neither counts nor needs room. */
  readonly ends_with_process?: boolean;
}

/** A claim needs a ready task, its dependencies done and room under the lane's WIP limit. */
export function decideClaim(tasks: Tasks, terms: ClaimTerms): TransitionResult<TaskRecord> {
  const {spec, wip_limit, session_id, ends_with_process = false} = terms;
  const found = findTask(tasks, spec.id);
  if (!found.success) return found;
  const task = found.data;
  if (task.state !== 'ready') {
    const holder = task.run ? ` by \`${task.run.by}\` in session \`${task.run.session_id}\`` : '';
    return fail(
      'TASK_NOT_CLAIMABLE',
      `task \`${task.task_id}\` is ${task.state}${isInProgress(task) ? `, claimed${holder}` : ''}`,
      {
        state: task.state,
      },
    );
  }
  const waitingFor = (spec.blocked_by ?? []).filter((id) => tasks.get(id)?.state !== 'done');
  if (waitingFor.length > 0) {
    return fail(
      'TASK_NOT_CLAIMABLE',
      `task \`${task.task_id}\` waits for ${waitingFor.map((id) => `\`${id}\``).join(', ')}`,
      {
        state: task.state,
        blocked_by: waitingFor,
      },
    );
  }
  const inProgress = [...tasks.open()].filter(
    (other) => other.lane_id === task.lane_id && countsTowardsWip(other) && !isOwnOf(session_id, other, spec),
  );
  if (wip_limit !== undefined && !ends_with_process && inProgress.length >= wip_limit) {
    return fail(
      'WIP_LIMIT_REACHED',
      `lane \`${task.lane_id}\` is full: ${inProgress.length} of ${wip_limit} tasks in progress`,
      {
        wip_limit,
        in_progress: inProgress.map((other) => other.task_id),
      },
    );
  }
  return found;
}

function isOwnOf(sessionId: string | undefined, {run, task_type}: TaskRecord, claimed: TaskSpec): boolean {
  return sessionId !== undefined && run?.session_id === sessionId && task_type !== claimed.type;
}

/** Block, unblock, complete and release are for the session that owns the task, from the given states. */
export function decideClaimed(
  tasks: Tasks,
  command: {readonly task_id: string; readonly session_id: string | undefined; readonly verb: string},
  from: readonly TaskRecord['state'][],
): TransitionResult<TaskRecord & Required<Pick<TaskRecord, 'run'>>> {
  const found = findTask(tasks, command.task_id);
  if (!found.success) return found;
  const {run, ...task} = found.data;
  if (run === undefined || !from.includes(task.state)) {
    return fail(
      'TASK_NOT_ACTIVE',
      `cannot ${command.verb} task \`${task.task_id}\`: it is ${task.state}, not ${from.join(' or ')}`,
      {
        state: task.state,
      },
    );
  }
  if (command.session_id !== undefined && command.session_id !== run.session_id) {
    return fail('TASK_NOT_ACTIVE', `cannot ${command.verb} task \`${task.task_id}\`: it belongs to another session`, {
      state: task.state,
    });
  }
  return succeed({...task, run});
}
