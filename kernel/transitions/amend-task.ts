// Amends a ready task's spec. The new spec is validated like the first, written beside it, and its hash is in the event log. A
// simultaneous claim gets the spec that policy judged, or fails.
import type {Person, TaskSpec} from '@lumenflow/schemas';
import {KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';
import {loadTask} from './claim-task.ts';
import {checkSpec} from './create-task.ts';

/** These keys replace those of the spec. */
export type TaskChanges = Omit<Partial<TaskSpec>, 'id' | 'lane_id' | 'type' | 'policies'>;

export interface AmendCommand {
  readonly task_id: string;
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly changes: TaskChanges;
}

export async function amendTask(kernel: Kernel, command: AmendCommand): Promise<TransitionResult<TaskRecord>> {
  const {task_id, by, person, changes} = command;
  const invalid = checkIds({task_id, by});
  if (invalid) return invalid;
  const loaded = await loadTask(kernel, task_id);
  if (!loaded.success) return loaded;
  const {task} = loaded.data;
  const {id, lane_id, type, policies} = task.spec;
  const own = {id, lane_id, ...(type !== undefined && {type}), ...(policies && {policies})};
  const spec: TaskSpec = {...task.spec, ...changes, ...own};
  const refusal = checkSpec(kernel, spec) ?? mustBeReady(kernel, task_id, task.spec_hash);
  if (refusal) return refusal;
  const {spec_hash} = await kernel.ports.tasks.amend(spec);
  const refused = await kernel.ports.events.transact<TransitionResult<never> | undefined>(() => {
    const meanwhile = mustBeReady(kernel, task_id, task.spec_hash);
    if (meanwhile) return {events: [], result: meanwhile};
    const timestamp = kernel.ports.clock.timestamp();
    return {
      events: [{type: 'task_amended', timestamp, actor: by, ...(person && {person}), task_id, spec_hash}],
      result: undefined,
    };
  });
  if (refused) return refused;
  const record = kernel.state.tasks.get(task_id);
  if (!record) throw new KernelError('BROKEN_INVARIANT', `task ${task_id} vanished from the fold`);
  return succeed(record);
}

/** And still of the spec that the change builds on. */
function mustBeReady({state}: Kernel, taskId: string, specHash: string): TransitionResult<never> | undefined {
  const record = state.tasks.get(taskId);
  if (record?.state !== 'ready') {
    const details = {state: record?.state ?? 'missing'};
    return fail('TASK_NOT_READY', `task \`${taskId}\` is ${details.state}: only a ready task is amended`, details);
  }
  if (record.spec_hash === specHash) return undefined;
  return fail('TASK_SPEC_CHANGED', `task \`${taskId}\` was amended in the meantime: read it again`);
}
