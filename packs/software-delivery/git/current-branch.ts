// The branch that HEAD is on.
import {runGit, type GitContext} from './run-git.ts';

/** Null when HEAD is detached. */
export async function currentBranch(context: GitContext): Promise<string | null> {
  const {stdout} = await runGit(context, ['symbolic-ref', '--quiet', '--short', 'HEAD'], {exit_codes: [0, 1]});
  return stdout.trim() || null;
}
