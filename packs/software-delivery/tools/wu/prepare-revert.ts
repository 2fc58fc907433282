// wu:prepare-revert creates the commit with which wu:undo reverts a merge. The spec of the work unit stays.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PreparedMerge} from '../../done/merge-gated.ts';
import {findIdentity} from '../../git/commit-identity.ts';
import {findCommit} from '../../git/find-commit.ts';
import {mainBranch} from '../../git/main-branch.ts';
import {revertCommits} from '../../git/revert-commits.ts';
import type {PackConfig} from '../../pack-config.ts';
import {specPath} from '../../work-units/spec-place.ts';

export interface PrepareRevertInput {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
  /** Commits after this one, up to `to`. */
  readonly from: string;
  readonly to: string;
}

export const wuPrepareRevert: ToolDefinition<PrepareRevertInput, PreparedMerge, PackConfig> = defineTool({
  async run({id, title, reason, from, to}, context) {
    const main = await mainBranch(context, context.config);
    const onto = await findCommit(context, `refs/heads/${main}`);
    const commit = await revertCommits(context, {
      tip: onto,
      from,
      to,
      kept: [specPath(context.config, id)],
      committer: await findIdentity(context),
      message: `Revert ${id}: ${title}\n\n${reason}\n\nThis reverts the commits after ${from}, up to ${to}.\n`,
    });
    return {onto, commit};
  },
});
