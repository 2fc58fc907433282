// The word that a pack has for the state of tasks of its types, from `state_aliases` of its manifest.
import type {CompiledWorkspace, TaskView} from '@lumenflow/kernel';

/** Undefined where the pack has no word of its own, or the task no type. */
export function stateAliasOf(
  {packOfTaskType}: Pick<CompiledWorkspace, 'packOfTaskType'>,
  {state, spec}: Pick<TaskView, 'state' | 'spec'>,
): string | undefined {
  const pack = spec.type === undefined ? undefined : packOfTaskType.get(spec.type);
  return pack?.manifest.state_aliases?.[state];
}
