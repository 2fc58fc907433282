// Cancels a ready task, for example because its work unit was deleted.
import type {Person} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {KernelError} from '../errors.ts';
import {findTask} from '../tasks/decide-task.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';

export interface CancelCommand {
  readonly task_id: string;
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly reason: string;
}

export async function cancelTask(
  kernel: Kernel,
  {task_id, by, person, reason}: CancelCommand,
): Promise<TransitionResult<TaskRecord>> {
  const invalid = checkIds({task_id, by});
  if (invalid) return invalid;
  const outcome = await kernel.ports.events.transact<TransitionResult<unknown>>(() => {
    const found = findTask(kernel.state.tasks, task_id);
    if (!found.success) return {events: [], result: found};
    const {state} = found.data;
    if (state !== 'ready') {
      const message = `task \`${task_id}\` is ${state}: only a ready task is cancelled`;
      return {events: [], result: fail('TASK_NOT_READY', message, {state})};
    }
    const timestamp = kernel.ports.clock.timestamp();
    return {
      events: [{type: 'task_cancelled', timestamp, actor: by, ...(person && {person}), task_id, reason}],
      result: found,
    };
  });
  if (!outcome.success) return outcome;
  const record = kernel.state.tasks.get(task_id);
  if (!record) throw new KernelError('BROKEN_INVARIANT', `task ${task_id} vanished from the fold`);
  return succeed(record);
}
