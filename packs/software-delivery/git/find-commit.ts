// Resolves a revision to a commit.
import {ToolError} from '@lumenflow/pack-sdk';
import {runGit, type GitContext} from './run-git.ts';

/** Throws ToolError UNKNOWN_REVISION. */
export async function findCommit(context: GitContext, revision: string): Promise<string> {
  const commit = await findCommitIfAny(context, revision);
  if (commit !== undefined) return commit;
  throw new ToolError('UNKNOWN_REVISION', `\`${revision}\` is not a commit`, {revision});
}

/** Undefined when the revision names none. */
export async function findCommitIfAny(context: GitContext, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const {exit_code: code, stdout} = await runGit(context, args, {exit_codes: [0, 1, 128]});
  return code === 0 ? stdout.trim() : undefined;
}
