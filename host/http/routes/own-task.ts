// Checks the owner of a task. Ids of tasks, runs and sessions are not secret: only the claimant can act in a run.
import {failed, ok, type Outcome, type TaskView} from '@lumenflow/kernel';
import {failedReply, refuse, type Reply} from '../reply.ts';
import {hasRole, type RouteCall} from '../route.ts';

type Call = Pick<RouteCall<unknown, unknown>, 'runtime' | 'caller'>;

export function isHeldBy(task: TaskView, name: string): boolean {
  return task.run?.by === name;
}

/** The task if the caller claimed it or can see all tasks. */
export async function visibleTask(call: Call, taskId: string): Promise<Outcome<TaskView, Reply>> {
  const found = await call.runtime.inspectTask(taskId);
  if (!found.success) return failed(failedReply(found.error));
  if (isHeldBy(found.data, call.caller.name) || hasRole(call.caller, 'operator')) return ok(found.data);
  return failed(notYours(taskId));
}

export function notYours(taskId: string): Reply {
  return refuse('SESSION_DENIED', `task \`${taskId}\` is not one that you claimed`, {task_id: taskId});
}
