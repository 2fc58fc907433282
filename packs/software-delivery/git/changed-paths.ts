// The paths that differ between a commit and a tree; of a renamed file both.
import {findCommitIfAny} from './find-commit.ts';
import {runGit, type GitContext, type GitOptions} from './run-git.ts';

/** Git's name for a tree of nothing. */
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

/** Where the work at `revision` left the branch; a tree of nothing when they have nothing in common. */
export async function forkPoint(context: GitContext, branch: string, revision: string): Promise<string> {
  const [from, to] = [await findCommitIfAny(context, `refs/heads/${branch}`), await findCommitIfAny(context, revision)];
  if (from === undefined || to === undefined) return emptyTree;
  const {stdout} = await runGit(context, ['merge-base', from, to], {exit_codes: [0, 1]});
  return stdout.trim() || emptyTree;
}
