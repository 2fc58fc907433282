// Stages the working tree, respecting .gitignore. Never stages the runtime's own state.
import {gitError} from './git-error.ts';
import {excluding, hiddenAmong, requireReadable, type GrantContext} from './hidden-paths.ts';
import {parseStatus} from './parse-status.ts';
import {literalPathspec, runGit, type GitContext, type GitOptions} from './run-git.ts';
import {withScratchIndex, type ScratchEnvironment} from './scratch-index.ts';
import {takeUpSkipped} from './skipped-files.ts';

// Starts with a wildcard, because git refuses to add if the literal prefix of a pathspec is an ignored directory.
const withoutState = ':(top,exclude,glob)[.]lumenflow/**';

/** Stages the paths, deletions included; without paths, the whole working tree. */
export async function stageFiles(
  context: GitContext & GrantContext,
  paths: readonly string[] | undefined,
  options: GitOptions = {},
): Promise<void> {
  await requireReadable(context, paths);
  const pathspecs = paths === undefined ? [':(top)'] : paths.map(literalPathspec);
  await takeUpSkipped(context, options);
  const hidden = excluding(await hiddenAmong(context, await differingPaths(context, pathspecs, options)));
  // Exclusions come first. After a literal path, git 2.39 can silently miss an untracked file.
  await runGit(context, ['add', '--all', '--', withoutState, ...hidden, ...pathspecs], options);
}

/** The paths that staging would change. In the sandbox, hidden files look deleted or like devices. */
async function differingPaths(
  context: GitContext,
  pathspecs: readonly string[],
  options: GitOptions,
): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--', ...pathspecs];
  const {stdout} = await runGit(context, args, {...options, max_bytes: 64 * 1024 * 1024});
  return parseStatus(stdout).entries.map(({path}) => path);
}

/** Git's hash of the working tree's content. Writes nothing to the repository. */
export async function hashWorkingTree(context: GitContext): Promise<string> {
  return withScratchIndex(context, (env) => writeWorkingTree(context, env));
}

/**
 * Writes the working tree's content as a tree to the scratch objects and returns its hash. Ignores files that the sandbox hides:
 * git sees a device in their place, which it cannot hash.
 */
export async function writeWorkingTree(context: GitContext, env: ScratchEnvironment): Promise<string> {
  await takeUpSkipped(context, {env});
  const added = await runGit(context, ['add', '--all', '--ignore-errors', '--', ':(top)', withoutState], {
    env,
    exit_codes: [0, 1],
  });
  const failures = added.stderr.split('\n').filter((line) => line.startsWith('error: ') && !hiddenFile.test(line));
  if (failures.length > 0) throw gitError('add', added);
  return (await runGit(context, ['write-tree'], {env})).stdout.trim();
}

const hiddenFile = /^error: .*: can only add regular files, symbolic links or git-directories$/;
