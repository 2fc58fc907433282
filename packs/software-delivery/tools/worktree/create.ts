// worktree:create: the worktree of a work unit and its branch.
import {existsSync} from 'node:fs';
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findCommit} from '../../git/find-commit.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';
import {createWorktree, makeWorktreesFolder, type CreatedWorktree} from '../../worktrees/create-worktree.ts';
import {worktreePath, worktreesFolder} from '../../worktrees/worktree-place.ts';

interface WorktreeCreateInput {
  /** Of the work unit. */
  readonly id: string;
  readonly branch: string;
  /** A revision that a new branch begins at; default the main branch. */
  readonly base?: string;
  readonly dry_run?: boolean;
}

interface WorktreeCreateOutput extends CreatedWorktree {
  readonly dry_run: boolean;
}

export const worktreeCreate: ToolDefinition<WorktreeCreateInput, WorktreeCreateOutput, PackConfig> = defineTool({
  async run({id, branch, base, dry_run: dryRun = false}, context) {
    const from = base ?? (await mainBranch(context, context.config));
    if (dryRun) {
      const path = worktreePath(id) ?? '';
      return {path, branch, head: await findCommit(context, from), created: false, left_out: [], dry_run: true};
    }
    await makeWorktreesFolder(context.fs);
    if (!existsSync(`${context.workspace_root}/${worktreesFolder}`))
      return await callAnew(context, {id, branch, base: from});
    return {...(await createWorktree(context, {id, branch, base: from})), dry_run: false};
  },
});

/** A sandbox holds the folders that were there when it began: the first worktree needs another one. */
async function callAnew(context: ToolContext<PackConfig>, input: WorktreeCreateInput): Promise<WorktreeCreateOutput> {
  const {success, data, error} = await context.callTool('worktree:create', input);
  if (success) return data as WorktreeCreateOutput;
  throw new ToolError(error?.code ?? 'GIT_FAILED', error?.message ?? 'no worktree was made', error?.details);
}
