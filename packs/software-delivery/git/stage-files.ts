// Stages the working tree as it is, .gitignore respected. The runtime's own state is never part of the work.
import {gitError} from './git-error.ts';
import {excluding, hiddenAmong, requireReadable, type GrantContext} from './hidden-paths.ts';
import {parseStatus} from './parse-status.ts';
import {literalPathspec, runGit, type GitContext, type GitOptions} from './run-git.ts';
import {withScratchIndex, type ScratchEnvironment} from './scratch-index.ts';
import {takeUpSkipped} from './skipped-files.ts';

// Spelt with a wildcard first: git refuses to add when an ignored directory is the fixed beginning of a pathspec.
const withoutState = ':(top,exclude,glob)[.]lumenflow/**';

/** Stages the paths, deletions included; the whole working tree without paths. */
export async function stageFiles(
  context: GitContext & GrantContext,
  paths: readonly string[] | undefined,
  options: GitOptions = {},
): Promise<void> {
  await requireReadable(context, paths);
  const pathspecs = paths === undefined ? [':(top)'] : paths.map(literalPathspec);
  await takeUpSkipped(context, options);
  const hidden = excluding(await hiddenAmong(context, await differingPaths(context, pathspecs, options)));
  // What is left out comes first: behind a literal path, git 2.39 can miss an untracked file and say nothing.
  await runGit(context, ['add', '--all', '--', withoutState, ...hidden, ...pathspecs], options);
}

/** Those that staging would touch. What the call may not see looks deleted, or like a device, in its sandbox. */
async function differingPaths(
  context: GitContext,
  pathspecs: readonly string[],
  options: GitOptions,
): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--', ...pathspecs];
  const {stdout} = await runGit(context, args, {...options, max_bytes: 64 * 1024 * 1024});
  return parseStatus(stdout).entries.map(({path}) => path);
}

/** Git's hash of the working tree's content; nothing is written into the repository. */
export async function hashWorkingTree(context: GitContext): Promise<string> {
  return withScratchIndex(context, (env) => writeWorkingTree(context, env));
}

/**
 * The working tree's content as a tree among the scratch's objects; gives its hash. What the sandbox hides does not count:
 * git sees a device where the hidden file is, and cannot hash it.
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
