// Where a session's next call runs: in the task that it claimed last through a tool, for as long as that is active,
// else in its own.
import type {KernelRuntime} from '@lumenflow/kernel';

export interface SessionTask {
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
}

/** What the session held when it was opened in a task that was named is passed over: who names one means it. */
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

/** The newest claim of a session that is active. */
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
