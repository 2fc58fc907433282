// Updates the person's own checkout of the main branch after a merge if that loses nothing, as `git pull --ff-only` would.
// Otherwise the checkout does not change, and the output contains a command that updates it.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {GitContext} from '../git/run-git.ts';
import {runGit} from '../git/run-git.ts';
import type {MovedBranch} from './moved-branch.ts';
import {untrackedInWay} from './untracked-in-way.ts';
import {writeMergedFiles} from './write-merged-files.ts';

export interface CheckoutUpdate {
  readonly updated: boolean;
  /** Why it was not updated. */
  readonly reason?: string;
}

/** Throws ToolError GIT_FAILED if files cannot be written. The failed call then leaves no changes. */
export async function updateCheckout(
  context: GitContext & Pick<ToolContext, 'fs'>,
  {onto, commit}: MovedBranch,
): Promise<CheckoutUpdate> {
  const answers = {exit_codes: [0, 1]};
  // Git compares the times of files with the index. The refresh ensures that merely touched files do not count as changed.
  await runGit(context, ['update-index', '-q', '--refresh'], answers);
  if (await isSame(context, ['diff-index', '--cached', '--quiet', commit, '--'])) {
    if (await isSame(context, ['diff-files', '--quiet', '--'])) return {updated: true};
  }
  if (!(await isSame(context, ['diff-index', '--cached', '--quiet', onto, '--']))) {
    return {updated: false, reason: 'it has staged changes, or it was behind before'};
  }
  if (!(await isSame(context, ['diff-files', '--quiet', '--']))) {
    return {updated: false, reason: 'it has uncommitted changes'};
  }
  const {equal, different} = await untrackedInWay(context, {onto, commit});
  if (different.length > 0) {
    const reason = `the merge adds files that exist untracked with other content: ${different.join(', ')}`;
    return {updated: false, reason};
  }
  if (equal.length > 0)
    await runGit(context, ['update-index', '--add', '-z', '--stdin'], {
      stdin: equal.map((path) => `${path}\0`).join(''),
    });
  const {exit_code: code, stderr} = await runGit(context, ['read-tree', '-m', '-u', onto, commit], {
    exit_codes: [0, 1, 128],
  });
  if (code === 0) return {updated: true};
  const failed = new ToolError('GIT_FAILED', stderr.trim().slice(0, 500));
  if (!(await writeMergedFiles(context, {onto, commit}, equal))) throw failed;
  await runGit(context, ['read-tree', commit]);
  await runGit(context, ['update-index', '-q', '--refresh'], answers);
  if (!(await isSame(context, ['diff-files', '--quiet', '--']))) throw failed;
  return {updated: true};
}

async function isSame(context: GitContext, args: readonly string[]): Promise<boolean> {
  return (await runGit(context, args, {exit_codes: [0, 1]})).exit_code === 0;
}
