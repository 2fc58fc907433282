// worktree:remove removes a worktree and keeps its branch.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {checkRemovable, removeWorktree} from '../../worktrees/remove-worktree.ts';
import {worktreePath} from '../../worktrees/worktree-place.ts';

interface WorktreeRemoveInput {
  /** The work unit's id. */
  readonly id: string;
  /** Discard uncommitted work. */
  readonly force?: boolean;
  readonly dry_run?: boolean;
}

interface WorktreeRemoveOutput {
  readonly path: string;
  readonly dry_run: boolean;
}

export const worktreeRemove: ToolDefinition<WorktreeRemoveInput, WorktreeRemoveOutput> = defineTool({
  async run({id, force = false, dry_run: dryRun = false}, context) {
    const path = worktreePath(id);
    if (path === undefined) throw new ToolError('INVALID_INPUT', `\`${id}\` is not a work unit id, such as \`WU-12\``);
    await (dryRun ? checkRemovable : removeWorktree)(context, {path, force});
    return {path, dry_run: dryRun};
  },
});
