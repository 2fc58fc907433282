// Selects the task of a session's next call: the task that it claimed last through a tool, while that is active; otherwise its
// own task.
import type {KernelRuntime} from '@lumenflow/kernel';

export interface SessionTask {
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
}

/** Ignores claims from before the session was opened in a named task, because the name takes precedence. */
export function followClaims(
  runtime: Pick<KernelRuntime, 'listHeldTasks'>,
  own: SessionTask,
  isNamed: boolean,
): () => SessionTask {
  const {session_id} = own;
  const passedOver = new Set(isNamed ? runtime.listHeldTasks(session_id).map(({run}) => run?.run_id) : []);
  passedOver.add(own.run_id);
  return () => activeTask(runtime, session_id, passedOver) ?? own;
}

/** The newest active claim of a session. */
export function activeTask(
  runtime: Pick<KernelRuntime, 'listHeldTasks'>,
  session_id: string,
  passedOver: ReadonlySet<string | undefined> = new Set(),
): SessionTask | undefined {
  const found = runtime
    .listHeldTasks(session_id)
    .findLast(({state, run}) => state === 'active' && run !== undefined && !passedOver.has(run.run_id));
  return found?.run && {task_id: found.task_id, run_id: found.run.run_id, session_id};
}
