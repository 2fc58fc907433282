// Reads a commit with its message and its changed files, compared with its first parent.
import {ToolError} from '@lumenflow/pack-sdk';
import {logFormat, parseLog, type Commit} from './parse-log.ts';
import {runGit, type GitContext} from './run-git.ts';

/** Throws ToolError UNKNOWN_REVISION. */
export async function readCommit(context: GitContext, revision: string): Promise<Commit> {
  const args = ['log', '-z', '--max-count=1', '--encoding=UTF-8', '--no-show-signature', logFormat];
  const {stdout} = await runGit(context, [...args, '--end-of-options', revision, '--']);
  const [commit] = parseLog(stdout);
  if (commit !== undefined) return commit;
  throw new ToolError('UNKNOWN_REVISION', `\`${revision}\` is not a commit`, {revision});
}
