// The path of one of git's own files. In a linked worktree, some belong to the worktree and some to the repository.
import {runGit, type GitContext} from './run-git.ts';

/** Absolute. */
export async function gitPath(context: GitContext, name: string): Promise<string> {
  const {stdout} = await runGit(context, ['rev-parse', '--path-format=absolute', '--git-path', name]);
  return stdout.replace(/\n$/, '');
}
