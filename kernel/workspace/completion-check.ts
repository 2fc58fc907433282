// The tool that a task's pack wants called before the task is completed.
import type {TaskSpec} from '@lumenflow/schemas';
import type {CompiledWorkspace} from './compiled-workspace.ts';

export function completionCheckOf({packOfTaskType}: CompiledWorkspace, {type}: TaskSpec): string | undefined {
  return type === undefined ? undefined : packOfTaskType.get(type)?.manifest.completion_check;
}
