// The branch that work is merged into.
import {ToolError} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {findCommitIfAny} from './find-commit.ts';
import type {GitContext} from './run-git.ts';

/** As configured, else `main` or `master`, whichever there is. Throws ToolError UNKNOWN_REVISION. */
export async function mainBranch(context: GitContext, config: PackConfig): Promise<string> {
  const configured = config?.main_branch;
  const names = configured === undefined ? ['main', 'master'] : [configured];
  for (const name of names) if ((await findCommitIfAny(context, `refs/heads/${name}`)) !== undefined) return name;
  const message = `there is no branch \`${names[0]}\` with a commit: set \`software_delivery.main_branch\` in workspace.yaml`;
  throw new ToolError('UNKNOWN_REVISION', message, {branches: names});
}
