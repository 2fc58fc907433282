// The word that a pack has for the state of tasks of its types, from `state_aliases` of its manifest.
import type {CompiledWorkspace, TaskRecord} from '@lumenflow/kernel';

/** Undefined where the pack has no word of its own, or the task no type. */
export function stateAliasOf(
  {packOfTaskType}: Pick<CompiledWorkspace, 'packOfTaskType'>,
  {state, task_type}: Pick<TaskRecord, 'state' | 'task_type'>,
): string | undefined {
  const pack = task_type === undefined ? undefined : packOfTaskType.get(task_type);
  return pack?.manifest.state_aliases?.[state];
}
