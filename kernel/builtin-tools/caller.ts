// The caller of one of the kernel's own tools: a pack's tool, in a task of its session.
import type {Person} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {findTask} from '../tasks/decide-task.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';
import {fail, type TransitionResult} from '../transition.ts';

export interface Caller {
  /** Of the tool that makes the call; its task types are what it may act on. */
  readonly pack: LoadedPack;
  readonly run: TaskRun;
  /** The person or program that makes the call, authenticated by the surface. */
  readonly by: string;
  /** The identity of the run's claimant, if that is the caller and a person that signed in. */
  readonly person?: Person | undefined;
}

/** Reads the newest state. A task of another pack's type counts as missing. */
export function findOwnTask({state}: Kernel, {pack}: Caller, taskId: string): TransitionResult<TaskRecord> {
  const found = findTask(state.tasks, taskId);
  if (!found.success || isOwn(pack, found.data)) return found;
  const {task_type} = found.data;
  const what = task_type === undefined ? 'of no type' : `of type \`${task_type}\``;
  return fail('TASK_OF_ANOTHER_PACK', `task \`${taskId}\` is ${what}: ${ownTypes(pack)}`, {task_id: taskId});
}

export function isOwn({manifest}: LoadedPack, {task_type}: Pick<TaskRecord, 'task_type'>): boolean {
  return task_type !== undefined && manifest.task_types.includes(task_type);
}

export function ownTypes({manifest}: LoadedPack): string {
  return `the pack \`${manifest.id}\` acts on ${manifest.task_types.map((type) => `\`${type}\``).join(', ')} only`;
}
