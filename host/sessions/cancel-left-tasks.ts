// Cancels the tasks that killed sessions left behind. Their claims were released, but nobody else continues them.
import type {KernelRuntime} from '@lumenflow/kernel';
import {isPlannedTask} from './is-planned-task.ts';

/** A session claims its task just after creating it. A younger task may be about to be claimed. */
const graceMs = 60_000;
/** Bounds the time that a start takes; the next start continues. */
const tasksMax = 100;

/** `now`: milliseconds since the epoch. */
export async function cancelLeftTasks(
  runtime: Pick<KernelRuntime, 'listTasks' | 'cancelTask'>,
  now: number,
): Promise<void> {
  const left = runtime
    .listTasks({state: 'ready'})
    .filter((task) => !isPlannedTask(task) && Date.parse(task.created_at) < now - graceMs);
  for (const {task_id} of left.slice(0, tasksMax)) {
    // Another host may have cancelled it in the meantime.
    await runtime.cancelTask({task_id, by: 'lumenflow', reason: 'the session that created it ended'});
  }
}
