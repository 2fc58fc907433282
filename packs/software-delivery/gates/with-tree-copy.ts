// A private copy of the tree that gates check, in the sandbox's own /tmp, where gates may write. It has every file of the tree,
// also those that a worktree omits. It has no ignored files except installed dependencies.
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findCommit} from '../git/find-commit.ts';
import type {GrantContext} from '../git/hidden-paths.ts';
import {runGit, type GitContext} from '../git/run-git.ts';
import {withScratchIndex, type ScratchEnvironment} from '../git/scratch-index.ts';
import {writeWorkingTree} from '../git/stage-files.ts';
import {linkDependencies} from './link-dependencies.ts';

export interface TreeSource {
  /** Context at the root of the work tree. */
  readonly context: GitContext & GrantContext;
  /** Context at the root of the workspace, which provides the dependencies that the work tree lacks. */
  readonly workspace: GitContext;
  /** A commit instead of the current files. */
  readonly commit?: string | undefined;
}

export interface TreeCopy {
  /** Absolute. */
  readonly path: string;
  /** Git's hash of the tree. */
  readonly tree_hash: string;
  /** Environment in which git can read the tree, which need not be in the repository. */
  readonly env: ScratchEnvironment;
}

export async function withTreeCopy<T>(source: TreeSource, use: (copy: TreeCopy) => Promise<T>): Promise<T> {
  const {context, commit} = source;
  return await withScratchIndex(context, async (env) => {
    const tree = commit === undefined ? await writeWorkingTree(context, env) : await treeOf(context, commit);
    const folder = await mkdtemp(join(tmpdir(), 'gates-'));
    try {
      const path = join(folder, 'tree');
      await layOut(source, {path, tree_hash: tree, env: {...env, GIT_INDEX_FILE: join(folder, 'index')}});
      return await use({path, tree_hash: tree, env});
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  });
}

/** Uses a new index, because a used one marks files as skipped. */
async function layOut({context, workspace}: TreeSource, {path, tree_hash: tree, env}: TreeCopy): Promise<void> {
  await runGit(context, ['read-tree', tree], {env});
  await runGit(context, ['checkout-index', '--all', '--force', '--quiet', `--prefix=${path}/`], {env});
  const gitDirectory = (await runGit(context, ['rev-parse', '--absolute-git-dir'])).stdout.replace(/\n$/, '');
  await writeFile(join(path, '.git'), `gitdir: ${gitDirectory}\n`);
  const {stdout} = await runGit(context, ['ls-files', '-z', '--stage'], {env});
  const submodules = stdout.split('\0').flatMap((entry) => /^160000 [^\t]*\t(.*)$/s.exec(entry)?.[1] ?? []);
  await linkDependencies([context, workspace], path, submodules);
}

async function treeOf(context: GitContext, revision: string): Promise<string> {
  const commit = await findCommit(context, revision);
  return (await runGit(context, ['rev-parse', `${commit}^{tree}`])).stdout.trim();
}
