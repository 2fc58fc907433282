// Stages the working tree as it is, .gitignore respected. The runtime's own state is never part of the work.
import {literalPathspec, runGit, type GitContext, type GitOptions} from './run-git.ts';
import {withScratchIndex} from './scratch-index.ts';

// Spelt with a wildcard first: git refuses to add when an ignored directory is the fixed beginning of a pathspec.
const withoutState = ':(top,exclude,glob)[.]lumenflow/**';

/** Stages the paths, deletions included; the whole working tree without paths. */
export async function stageFiles(
  context: GitContext,
  paths: readonly string[] | undefined,
  options: GitOptions = {},
): Promise<void> {
  const pathspecs = paths === undefined ? [':(top)'] : paths.map(literalPathspec);
  await runGit(context, ['add', '--all', '--', ...pathspecs, withoutState], options);
}

/** Git's hash of the working tree's content; nothing is written into the repository. */
export async function hashWorkingTree(context: GitContext): Promise<string> {
  return withScratchIndex(context, async (env) => {
    await stageFiles(context, undefined, {env});
    return (await runGit(context, ['write-tree'], {env})).stdout.trim();
  });
}
