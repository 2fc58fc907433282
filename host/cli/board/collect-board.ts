// The units of work by lane, as the kernel has them: what is in progress, what waits, what is ready, what was done.
import type {KernelRuntime, TaskRecord} from '@lumenflow/kernel';
import {stateAliasOf} from '../state-alias.ts';

export interface BoardTask {
  readonly task_id: string;
  readonly title: string;
  readonly state: TaskRecord['state'];
  /** The word that the task's pack has for its state. */
  readonly state_alias?: string;
  readonly by?: string;
  /** Since when it is held, done, or there at all. */
  readonly since: string;
  readonly blocked_reason?: string;
}

export interface BoardLane {
  readonly lane_id: string;
  readonly title?: string;
  readonly wip_limit?: number;
  /** Tasks that hold a place under the limit, those that are not units of work among them. */
  readonly in_progress: number;
  /** Blocked ones first, then active ones, then the oldest that are ready. */
  readonly tasks: readonly BoardTask[];
  /** Ready ones that are left out of `tasks`. */
  readonly more_ready: number;
  readonly done: number;
}

export interface BoardOptions {
  /** Of this lane only. */
  readonly lane?: string;
  /** Ready tasks of a lane at most. */
  readonly readyMax: number;
}

export async function collectBoard(
  runtime: Pick<KernelRuntime, 'workspace' | 'listTasks' | 'inspectTask'>,
  {lane, readyMax}: BoardOptions,
): Promise<readonly BoardLane[]> {
  const lanes = runtime.workspace.spec.lanes.filter(({id}) => lane === undefined || id === lane);
  return await Promise.all(
    lanes.map(async ({id, title, wip_limit}) => {
      const all = runtime.listTasks({lane_id: id});
      const units = all.filter(isUnit);
      const of = (state: TaskRecord['state']): readonly TaskRecord[] => units.filter((task) => task.state === state);
      const ready = of('ready');
      const shown = [...of('blocked'), ...of('active'), ...ready.slice(0, readyMax)];
      return {
        lane_id: id,
        ...(title !== undefined && {title}),
        ...(wip_limit !== undefined && {wip_limit}),
        in_progress: all.filter(({state}) => state === 'active' || state === 'blocked').length,
        tasks: await Promise.all(shown.map(async (task) => await boardTask(runtime, task))),
        more_ready: Math.max(0, ready.length - readyMax),
        done: of('done').length,
      };
    }),
  );
}

/** What a session works in by itself is no unit of work: it has no type, and is called like the session or its call. */
function isUnit({task_id, task_type, run}: TaskRecord): boolean {
  return task_type !== undefined || (run?.session_id !== task_id && !/^(?:cli|session)-[0-9a-f-]{12,}$/u.test(task_id));
}

async function boardTask(
  runtime: Pick<KernelRuntime, 'workspace' | 'inspectTask'>,
  task: TaskRecord,
): Promise<BoardTask> {
  const {task_id, state, run, blocked_reason, created_at, completed_at} = task;
  const found = await runtime.inspectTask(task_id);
  const alias = stateAliasOf(runtime.workspace, task);
  const isHeld = state === 'active' || state === 'blocked';
  return {
    task_id,
    // A spec that was changed by hand is told where the task is used.
    title: found.success ? (found.data.spec.title ?? '') : '',
    state,
    ...(alias !== undefined && {state_alias: alias}),
    ...(isHeld && run && {by: run.by}),
    since: completed_at ?? (isHeld ? run?.claimed_at : undefined) ?? created_at,
    ...(blocked_reason !== undefined && {blocked_reason}),
  };
}
