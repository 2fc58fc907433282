// Whether a task was planned as work. A task that LumenFlow created for a session or a single call was not.
import type {TaskRecord} from '@lumenflow/kernel';

/** Such a task has no type, and a generated name. */
export function isPlannedTask({task_id, task_type, run}: TaskRecord): boolean {
  return task_type !== undefined || (run?.session_id !== task_id && !/^(?:cli|session)-[0-9a-f-]{12,}$/u.test(task_id));
}
