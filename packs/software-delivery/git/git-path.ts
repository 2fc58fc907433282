// Where git keeps one of its own files: of a linked worktree some are its own, some the repository's.
import {runGit, type GitContext} from './run-git.ts';

/** Absolute. */
export async function gitPath(context: GitContext, name: string): Promise<string> {
  const {stdout} = await runGit(context, ['rev-parse', '--path-format=absolute', '--git-path', name]);
  return stdout.replace(/\n$/, '');
}
