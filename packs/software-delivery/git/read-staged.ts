// The staged changes: the index compared with HEAD.
import {parseDiff, type ChangedFile} from './parse-diff.ts';
import {pathArguments, runGit, type GitContext, type GitOptions} from './run-git.ts';

export const diffArguments: readonly string[] = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '--ignore-submodules=none',
];

export async function readStaged(
  context: GitContext,
  paths?: readonly string[],
  options: GitOptions = {},
): Promise<ChangedFile[]> {
  const args = [...diffArguments, '--cached', '--raw', '--numstat', '-z', ...pathArguments(paths)];
  return parseDiff((await runGit(context, args, options)).stdout);
}
