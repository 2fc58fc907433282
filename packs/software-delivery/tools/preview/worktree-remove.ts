// What worktree:remove would remove: the worktree with its uncommitted work.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {boundedPatch, type BoundedPatch} from '../../git/bounded-patch.ts';
import {currentBranch} from '../../git/current-branch.ts';
import {findCommitIfAny} from '../../git/find-commit.ts';
import {atRoot} from '../../worktrees/in-work-tree.ts';
import {checkRemovable, uncommittedPaths} from '../../worktrees/remove-worktree.ts';
import {worktreePath} from '../../worktrees/worktree-place.ts';

interface RemoveInput {
  readonly id: string;
  readonly force?: boolean;
}

interface RemovePreview extends Partial<BoundedPatch> {
  readonly path: string;
  readonly branch?: string | null;
  readonly head?: string | null;
  /** Paths that would be lost. */
  readonly uncommitted?: readonly string[];
}

export const previewWorktreeRemove: ToolDefinition<RemoveInput, RemovePreview> = defineTool({
  async run({id, force = false}, context) {
    const path = worktreePath(id);
    if (path === undefined) {
      throw new ToolError('INVALID_INPUT', `\`${id}\` is not a work unit id, such as \`WU-12\``);
    }
    await checkRemovable(context, {path, force});
    if ((await context.fs.stat(`${path}/.git`)) === undefined) return {path};
    const there = atRoot(context, path);
    return {
      path,
      branch: await currentBranch(there),
      head: (await findCommitIfAny(there, 'HEAD')) ?? null,
      uncommitted: await uncommittedPaths(context, path),
      ...(await boundedPatch(there, ['HEAD'])),
    };
  },
});
