// The names that texts of a workspace can mention: of its tools, and their former ones.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ToolNames} from './client-text.ts';

export function mentionableTools({
  runtime: {workspace},
}: {
  readonly runtime: Pick<KernelRuntime, 'workspace'>;
}): ToolNames {
  const {tools, renamed} = workspace;
  return {has: (name) => tools.has(name) || renamed.has(name)};
}
