// A task from its events and its spec.
import type {TaskSpec} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';

export interface TaskView extends TaskRecord {
  readonly spec: TaskSpec;
}

export async function viewTask(kernel: Kernel, taskId: string): Promise<TransitionResult<TaskView>> {
  const record = kernel.state.tasks.get(taskId);
  if (!record) return fail('TASK_NOT_FOUND', `there is no task \`${taskId}\``, {task_id: taskId});
  const task = await kernel.tasks.get(record);
  if (task === 'changed')
    return fail('TASK_SPEC_CHANGED', `the spec of task \`${taskId}\` is not the one it was created with`);
  return succeed({...record, spec: task.spec});
}
