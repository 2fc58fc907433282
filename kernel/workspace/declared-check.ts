// The tool that a task's pack wants called before the task is claimed or completed.
import type {TaskSpec} from '@lumenflow/schemas';
import type {CompiledWorkspace} from './compiled-workspace.ts';

export type CheckedTransition = 'claim' | 'completion';

export function declaredCheckOf(
  {packOfTaskType}: CompiledWorkspace,
  kind: CheckedTransition,
  {type}: TaskSpec,
): string | undefined {
  return type === undefined ? undefined : packOfTaskType.get(type)?.manifest[`${kind}_check`];
}
