// wu:remove-worktree: the writing part of wu:done and wu:prune. Idempotent.
import {defineTool, isToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findCommitIfAny} from '../../git/find-commit.ts';
import {runGit} from '../../git/run-git.ts';
import {removeWorktree} from '../../worktrees/remove-worktree.ts';

interface RemoveWorktreeInput {
  /** Path of the worktree, relative to the workspace root. */
  readonly path?: string;
  readonly branch?: string;
  /** Remove the branch only if it is at this commit. */
  readonly head?: string;
}

export const wuRemoveWorktree: ToolDefinition<RemoveWorktreeInput, object> = defineTool({
  async run({path, branch, head}, context) {
    if (path !== undefined) await removeIfThere(context, path);
    if (branch !== undefined && head !== undefined) {
      const ref = `refs/heads/${branch}`;
      if ((await findCommitIfAny(context, ref)) === head) await runGit(context, ['update-ref', '-d', ref, head]);
    }
    return {};
  },
});

async function removeIfThere(context: ToolContext, path: string): Promise<void> {
  try {
    await removeWorktree(context, {path});
  } catch (error) {
    if (!isToolError(error) || error.code !== 'NOT_FOUND') throw error;
  }
}
