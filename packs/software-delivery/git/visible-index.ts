// The staged changes that the call may read. Staged changes of hidden files belong to a person and stay staged: a commit is made
// from a copy of the index without them.
import {findCommitIfAny} from './find-commit.ts';
import {hiddenAmong, pathspecOf, type GrantContext} from './hidden-paths.ts';
import {pathsOf, type ChangedFile} from './parse-diff.ts';
import {readStaged} from './read-staged.ts';
import {runGit, type GitContext, type GitOptions} from './run-git.ts';
import {withScratchIndex} from './scratch-index.ts';

export interface VisibleStaged {
  readonly files: readonly ChangedFile[];
  readonly hidden: ReadonlySet<string>;
}

type Context = GitContext & GrantContext;

export async function readVisibleStaged(
  context: Context,
  paths?: readonly string[],
  options: GitOptions = {},
): Promise<VisibleStaged> {
  const staged = await readStaged(context, paths, options);
  const hidden = await hiddenAmong(context, pathsOf(staged));
  const files = staged.filter(({path, orig_path: from}) => !hidden.has(path) && !hidden.has(from ?? path));
  return {files, hidden};
}

/** Runs `use` with an environment in which git's index contains only the visible staged files. */
export async function withVisibleIndex<T>(
  context: GitContext,
  hidden: ReadonlySet<string>,
  use: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (hidden.size === 0) return await use({});
  return await withScratchIndex(context, async ({GIT_INDEX_FILE: index}) => {
    const env = {GIT_INDEX_FILE: index};
    const hasHead = (await findCommitIfAny(context, 'HEAD')) !== undefined;
    const paths = [...hidden].map((path) => pathspecOf(path, 'top'));
    const unstage = hasHead ? ['reset', '--quiet', 'HEAD', '--'] : ['rm', '--cached', '--quiet', '--force', '--'];
    await runGit(context, [...unstage, ...paths], {env});
    return await use(env);
  });
}
