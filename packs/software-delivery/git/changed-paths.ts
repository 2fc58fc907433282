// The paths that differ between a commit and a tree. A renamed file counts with both paths.
import type {PackConfig} from '../pack-config.ts';
import {findCommitIfAny} from './find-commit.ts';
import {mainBranchIfAny} from './main-branch.ts';
import {runGit, type GitContext, type GitOptions} from './run-git.ts';

/** Git's hash of the empty tree. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** `from` and `to` are commits or trees. */
export async function changedPaths(
  context: GitContext,
  from: string,
  to: string,
  options: GitOptions = {},
): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none', from, to, '--'];
  return (await runGit(context, args, options)).stdout.split('\0').slice(0, -1);
}

/** The merge base of the work at `revision` and the main branch; the empty tree if they have no common commit. */
export async function forkPoint(context: GitContext, config: PackConfig, revision: string): Promise<string> {
  const main = await mainBranchIfAny(context, config);
  const commit = await findCommitIfAny(context, revision);
  if (main === undefined || commit === undefined) return emptyTree;
  const {stdout} = await runGit(context, ['merge-base', `refs/heads/${main}`, commit], {exit_codes: [0, 1]});
  return stdout.trim() || emptyTree;
}
