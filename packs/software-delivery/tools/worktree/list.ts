// worktree:list lists the repository's worktrees.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {listWorktrees, type Worktree} from '../../worktrees/list-worktrees.ts';

export const worktreeList: ToolDefinition<
  Record<string, never>,
  {readonly worktrees: readonly Worktree[]}
> = defineTool({
  run: async (_input, context) => ({worktrees: await listWorktrees(context)}),
});
