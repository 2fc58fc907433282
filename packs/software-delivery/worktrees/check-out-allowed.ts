// Puts the files of a worktree's commit into its folder, but for those that programs outside a sandbox obey: editor
// settings, CI workflows and the like are not made by a tool whose scopes do not name them. The index marks these as
// skipped, so that git takes them for unchanged; gates run on a copy that has them.
import {ToolError} from '@lumenflow/pack-sdk';
import {trustedAround} from '@lumenflow/pack-sdk/trusted-paths';
import {gitPath} from '../git/git-path.ts';
import {runGit, type GitContext} from '../git/run-git.ts';
import {indexedPaths, markSkipped, skippedPaths} from '../git/skipped-files.ts';

/** `context` is that of the worktree, `path` its place in the workspace. Gives what it left out. */
export async function checkOutAllowed(context: GitContext, path: string): Promise<readonly string[]> {
  const index = await gitPath(context, 'index');
  const made = await context.exec('test', ['-f', index]);
  // A worktree that has its index was checked out before: what stands there now is somebody's work.
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
