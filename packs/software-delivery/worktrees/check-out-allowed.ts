// Writes the files of a worktree's commit to its folder. Omits files that programs outside the sandbox trust (editor settings, CI
// workflows) and that no scope names. The index marks these as skipped, so that git treats them as unchanged. Gates run on a copy
// that contains them.
import {ToolError} from '@lumenflow/pack-sdk';
import {trustedAround} from '@lumenflow/pack-sdk/trusted-paths';
import {gitPath} from '../git/git-path.ts';
import {runGit, type GitContext} from '../git/run-git.ts';
import {indexedPaths, markSkipped, skippedPaths} from '../git/skipped-files.ts';

/** `context` belongs to the worktree, `path` is its path in the workspace. Returns the omitted files. */
export async function checkOutAllowed(context: GitContext, path: string): Promise<readonly string[]> {
  const index = await gitPath(context, 'index');
  const made = await context.exec('test', ['-f', index]);
  // A worktree with an index was checked out before: its files are somebody's work.
  if (made.exit_code === 0) return await skippedPaths(context);
  const env = {GIT_INDEX_FILE: `${index}.making`};
  await runGit(context, ['read-tree', 'HEAD'], {env});
  const leftOut = (await indexedPaths(context, {env})).filter((file) => trustedAround(`${path}/${file}`) !== undefined);
  await markSkipped(context, leftOut, {env});
  await runGit(context, ['checkout-index', '--all', '--force', '--quiet', '--index'], {env});
  const moved = await context.exec('mv', ['--', `${index}.making`, index]);
  if (moved.exit_code !== 0) throw new ToolError('GIT_FAILED', `cannot replace the index: ${moved.stderr.trim()}`);
  return leftOut;
}
