// Stages the working tree, respecting .gitignore. Never stages the runtime's own state.
import {excluding, hiddenAmong, requireReadable, type GrantContext} from './hidden-paths.ts';
import {parseStatus, type StatusEntry} from './parse-status.ts';
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
  const differing = await findDiffering(context, pathspecs, options);
  const hidden = excluding(await hiddenAmong(context, pathsOf(differing)));
  // Exclusions come first. After a literal path, git 2.39 can silently miss an untracked file.
  await runGit(context, ['add', '--all', '--', withoutState, ...hidden, ...pathspecs], options);
}

/** What staging would change. In the sandbox, hidden files look deleted, empty or like devices. */
async function findDiffering(
  context: GitContext,
  pathspecs: readonly string[],
  options: GitOptions,
): Promise<readonly StatusEntry[]> {
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--', ...pathspecs];
  const {stdout} = await runGit(context, args, {...options, max_bytes: 64 * 1024 * 1024});
  return parseStatus(stdout).entries;
}

function pathsOf(entries: readonly StatusEntry[]): readonly string[] {
  return entries.map(({path}) => path);
}

/** Git's hash of the working tree's content. Writes nothing to the repository. */
export async function hashWorkingTree(context: GitContext & GrantContext): Promise<string> {
  return withScratchIndex(context, (env) => writeWorkingTree(context, env));
}

/**
 * Writes the working tree's content as a tree to the scratch objects and returns its hash. Hidden files that look empty or like
 * devices stay as they are in the index.
 */
export async function writeWorkingTree(context: GitContext & GrantContext, env: ScratchEnvironment): Promise<string> {
  await takeUpSkipped(context, {env});
  const differing = await findDiffering(context, [':(top)'], {env});
  const present = differing.filter(({unstaged}) => unstaged !== 'deleted');
  const hidden = excluding(await hiddenAmong(context, pathsOf(present)));
  await runGit(context, ['add', '--all', '--', withoutState, ...hidden, ':(top)'], {env});
  return (await runGit(context, ['write-tree'], {env})).stdout.trim();
}
