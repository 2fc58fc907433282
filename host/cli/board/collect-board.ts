// Collects the kernel's tasks by lane: in progress, waiting, ready and done.
import {countsTowardsWip, type KernelRuntime, type TaskRecord} from '@lumenflow/kernel';
import {isPlannedTask} from '../../sessions/is-planned-task.ts';
import {stateAliasOf} from '../state-alias.ts';

export interface BoardTask {
  readonly task_id: string;
  readonly title: string;
  readonly state: TaskRecord['state'];
  /** The name of the state in the task's pack. */
  readonly state_alias?: string;
  readonly by?: string;
  /** Time of the claim, the completion or the creation. */
  readonly since: string;
  readonly blocked_reason?: string;
}

export interface BoardLane {
  readonly lane_id: string;
  readonly title?: string;
  readonly wip_limit?: number;
  /** Tasks that count towards the WIP limit, including those that were not planned. */
  readonly in_progress: number;
  /** Those of them that were not planned: open sessions and calls. */
  readonly sessions: number;
  /** Blocked units first, then active units, then the oldest ready units. */
  readonly tasks: readonly BoardTask[];
  /** Number of ready units that `tasks` omits. */
  readonly more_ready: number;
  readonly done: number;
}

export interface BoardOptions {
  /** Only this lane. */
  readonly lane?: string | undefined;
  /** Maximum number of ready tasks per lane. */
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
      const units = all.filter(isPlannedTask);
      const of = (state: TaskRecord['state']): readonly TaskRecord[] => units.filter((task) => task.state === state);
      const ready = of('ready');
      const shown = [...of('blocked'), ...of('active'), ...ready.slice(0, readyMax)];
      return {
        lane_id: id,
        ...(title !== undefined && {title}),
        ...(wip_limit !== undefined && {wip_limit}),
        in_progress: all.filter(countsTowardsWip).length,
        sessions: all.filter((task) => countsTowardsWip(task) && !isPlannedTask(task)).length,
        tasks: await Promise.all(shown.map(async (task) => await boardTask(runtime, task))),
        more_ready: Math.max(0, ready.length - readyMax),
        done: of('done').length,
      };
    }),
  );
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
    // Commands that use the task report a spec that was changed by hand.
    title: found.success ? (found.data.spec.title ?? '') : '',
    state,
    ...(alias !== undefined && {state_alias: alias}),
    ...(isHeld && run && {by: run.by}),
    since: completed_at ?? (isHeld ? run?.claimed_at : undefined) ?? created_at,
    ...(blocked_reason !== undefined && {blocked_reason}),
  };
}
