// worktree:create creates the worktree and the branch of a work unit.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import {createDeliveryLog} from '../../events/delivery-log.ts';
import {findCommit} from '../../git/find-commit.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';
import {createWorktree, makeWorktreesFolder, type CreatedWorktree} from '../../worktrees/create-worktree.ts';
import {worktreePath} from '../../worktrees/worktree-place.ts';

interface WorktreeCreateInput {
  /** The work unit's id. */
  readonly id: string;
  readonly branch: string;
  /** Revision that a new branch starts from. Default: the main branch. */
  readonly base?: string;
  readonly dry_run?: boolean;
}

interface WorktreeCreateOutput extends CreatedWorktree {
  readonly dry_run: boolean;
}

export const worktreeCreate: ToolDefinition<WorktreeCreateInput, WorktreeCreateOutput, PackConfig> = defineTool({
  async run({id, branch, base, dry_run: dryRun = false}, context) {
    await mustBeFree(context, id, branch);
    const from = base ?? (await mainBranch(context, context.config));
    if (dryRun) {
      const path = worktreePath(id) ?? '';
      return {path, branch, head: await findCommit(context, from), created: false, left_out: [], dry_run: true};
    }
    if (!(await makeWorktreesFolder(context))) {
      return (await callOrThrow(context, 'worktree:create', {id, branch, base: from})) as WorktreeCreateOutput;
    }
    return {...(await createWorktree(context, {id, branch, base: from})), dry_run: false};
  },
});

/** `wu:claim` creates the worktree of a work unit, on a branch of its own. Another one at that path would make every claim fail. */
async function mustBeFree(context: ToolContext<PackConfig>, id: string, branch: string): Promise<void> {
  const {units} = await createDeliveryLog(context, {slices: [workUnitSlice]}).read(workUnitSlice);
  const unit = Object.hasOwn(units, id) ? units[id] : undefined;
  if (unit === undefined || unit.branch === branch) return;
  const path = worktreePath(id) ?? id;
  throw new ToolError('WORKTREE_RESERVED', `\`${path}\` is reserved for \`${id}\`: create it with \`wu:claim\``, {
    id,
    path,
  });
}
