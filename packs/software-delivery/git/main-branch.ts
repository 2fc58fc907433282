// The branch that work merges into.
import {ToolError} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {findCommitIfAny} from './find-commit.ts';
import type {GitContext} from './run-git.ts';

/** The configured branch, else `main` or `master` if one exists. Throws ToolError UNKNOWN_REVISION. */
export async function mainBranch(context: GitContext, config: PackConfig): Promise<string> {
  const found = await mainBranchIfAny(context, config);
  if (found !== undefined) return found;
  const [name] = namesOf(config);
  const message = `there is no branch \`${name ?? ''}\` with a commit: set \`software_delivery.main_branch\` in workspace.yaml`;
  throw new ToolError('UNKNOWN_REVISION', message, {branches: namesOf(config)});
}

/** Undefined before the first commit. */
export async function mainBranchIfAny(context: GitContext, config: PackConfig): Promise<string | undefined> {
  for (const name of namesOf(config)) {
    if ((await findCommitIfAny(context, `refs/heads/${name}`)) !== undefined) return name;
  }
  return undefined;
}

function namesOf(config: PackConfig): readonly string[] {
  return config?.main_branch === undefined ? ['main', 'master'] : [config.main_branch];
}
