// The kernel's own tools that change tasks: each is the kernel's transition, on a task of the calling pack's types, by
// the calling session.
import type {TaskSpec} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';
import {fail, type TransitionResult} from '../transition.ts';
import {amendTask, type TaskChanges} from '../transitions/amend-task.ts';
import {cancelTask} from '../transitions/cancel-task.ts';
import {claimTask} from '../transitions/claim-task.ts';
import {completeTask} from '../transitions/complete-task.ts';
import {createTask} from '../transitions/create-task.ts';
import {changeRun, type Verb} from '../transitions/change-run.ts';
import type {TransitionCheckCall} from '../transitions/run-transition-check.ts';
import {findOwnTask, ownTypes, type Caller} from './caller.ts';

type Changed<T = TaskRecord> = Promise<TransitionResult<T>>;

export async function createOwnTask(kernel: Kernel, {pack, run, person}: Caller, spec: TaskSpec): Changed {
  if (spec.type === undefined || !pack.manifest.task_types.includes(spec.type)) {
    return fail('TASK_OF_ANOTHER_PACK', `a task of type \`${spec.type ?? ''}\` cannot be created: ${ownTypes(pack)}`);
  }
  return await createTask(kernel, spec, {actor: run.by, person});
}

export async function amendOwnTask(
  kernel: Kernel,
  caller: Caller,
  {task_id, ...changes}: TaskChanges & {readonly task_id: string},
): Changed {
  const own = findOwnTask(kernel, caller, task_id);
  return own.success ? await amendTask(kernel, {task_id, by: caller.run.by, person: caller.person, changes}) : own;
}

export async function claimOwnTask(
  kernel: Kernel,
  caller: Caller,
  {task_id}: {readonly task_id: string},
  transitionCheckCall: TransitionCheckCall,
): Changed<TaskRun> {
  const {by, session_id} = caller.run;
  const {person} = caller;
  const own = findOwnTask(kernel, caller, task_id);
  return own.success ? await claimTask(kernel, {task_id, by, person, session_id}, transitionCheckCall) : own;
}

export async function cancelOwnTask(
  kernel: Kernel,
  caller: Caller,
  {task_id, reason}: {readonly task_id: string; readonly reason: string},
): Changed {
  const own = findOwnTask(kernel, caller, task_id);
  return own.success ? await cancelTask(kernel, {task_id, by: caller.run.by, person: caller.person, reason}) : own;
}

export interface ChangeRunInput {
  readonly task_id: string;
  readonly reason?: string;
  readonly held_by?: string;
}

export async function changeOwnRun(kernel: Kernel, caller: Caller, verb: Verb, input: ChangeRunInput): Changed {
  const {task_id, reason = '', held_by = caller.run.session_id} = input;
  const own = findOwnTask(kernel, caller, task_id);
  if (!own.success) return own;
  return await changeRun(kernel, verb, {
    task_id,
    session_id: held_by,
    by: caller.run.by,
    person: caller.person,
    reason,
  });
}

export async function completeOwnTask(
  kernel: Kernel,
  caller: Caller,
  {task_id, evidence_refs}: {readonly task_id: string; readonly evidence_refs?: readonly string[]},
  transitionCheckCall: TransitionCheckCall,
): Changed {
  const {by, session_id} = caller.run;
  const own = findOwnTask(kernel, caller, task_id);
  if (!own.success) return own;
  return await completeTask(
    kernel,
    {task_id, by, person: caller.person, session_id, evidence_refs},
    transitionCheckCall,
  );
}
