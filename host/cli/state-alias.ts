// The pack's name for a state of its task types, from `state_aliases` of its manifest.
import type {CompiledWorkspace, TaskRecord} from '@lumenflow/kernel';

/** Undefined if the pack has no name for the state, or the task has no type. */
export function stateAliasOf(
  {packOfTaskType}: Pick<CompiledWorkspace, 'packOfTaskType'>,
  {state, task_type}: Pick<TaskRecord, 'state' | 'task_type'>,
): string | undefined {
  const pack = task_type === undefined ? undefined : packOfTaskType.get(task_type);
  return pack?.manifest.state_aliases?.[state];
}
