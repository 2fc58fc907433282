// Merges and rebases on git's objects only, without a working tree, an index or a branch. A conflict therefore leaves nothing
// half done.
import {ToolError} from '@lumenflow/pack-sdk';
import {identityEnvironment} from './commit-identity.ts';
import type {CommitIdentity} from '../pack-config.ts';
import {runGit, type GitContext} from './run-git.ts';
import {withScratchIndex} from './scratch-index.ts';

export interface Merge {
  /** The commit to merge onto. */
  readonly onto: string;
  /** The latest commit of the work. */
  readonly head: string;
  readonly committer: CommitIdentity;
  /** Conflicting paths for which the work's version wins. They require a merge instead of a rebase. */
  readonly resolved: readonly string[];
  /** Message of the merge commit, if one is created. */
  readonly message: string;
}

export interface Merged {
  readonly commit: string;
  readonly kind: 'contained' | 'fast_forward' | 'rebase' | 'merge';
}

/** Fast-forwards if possible, otherwise rebases the commits one by one. Throws ToolError MERGE_CONFLICT with the paths. */
export async function mergeCommits(context: GitContext, merge: Merge): Promise<Merged> {
  const {onto, head, resolved} = merge;
  const ready = await fastForward(context, merge);
  if (ready !== undefined) return ready;
  const commits = await listCommits(context, onto, head);
  // A merge commit in the work cannot be rebased, because it has several parents.
  if (resolved.length > 0 || commits.some(({parents}) => parents.length !== 1)) {
    return {commit: await mergeAsOne(context, merge), kind: 'merge'};
  }
  let tip = onto;
  for (const commit of commits) tip = await pick(context, tip, commit, merge);
  return {commit: tip, kind: 'rebase'};
}

/** Undefined if new commits are needed. */
export async function fastForward(
  context: GitContext,
  {onto, head}: Pick<Merge, 'onto' | 'head'>,
): Promise<Merged | undefined> {
  if (await isAncestor(context, head, onto)) return {commit: onto, kind: 'contained'};
  return (await isAncestor(context, onto, head)) ? {commit: head, kind: 'fast_forward'} : undefined;
}

export async function isAncestor(context: GitContext, ancestor: string, commit: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, commit];
  return (await runGit(context, args, {exit_codes: [0, 1]})).exit_code === 0;
}

/** True if `onto` has all changes of `head`, also after they were squashed or rebased. */
export async function containsWork(context: GitContext, onto: string, head: string): Promise<boolean> {
  if (await isAncestor(context, head, onto)) return true;
  const {tree, conflicts} = await mergeTrees(context, onto, head);
  return conflicts.length === 0 && tree === (await treeOf(context, onto));
}

interface ListedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** The commits of the work, oldest first. */
async function listCommits(context: GitContext, onto: string, head: string): Promise<readonly ListedCommit[]> {
  const args = ['rev-list', '--reverse', '--topo-order', '--parents', `${onto}..${head}`];
  const lines = (await runGit(context, args)).stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split(' ')).map(([sha = '', ...parents]) => ({sha, parents}));
}

/** Applies the commit's change to another commit. Returns that commit itself if it already contains the change. */
async function pick(context: GitContext, tip: string, {sha, parents}: ListedCommit, merge: Merge): Promise<string> {
  const env = identityEnvironment(merge.committer);
  // A stand-in for the tip with the commit's parent, which makes that parent the merge base.
  const standIn = await commitTree(context, {tree: await treeOf(context, tip), parents, message: 'stand-in', env});
  const {tree, conflicts} = await mergeTrees(context, standIn, sha);
  if (conflicts.length > 0) throw conflict(merge, conflicts, sha);
  if (tree === (await treeOf(context, tip))) return tip;
  const {author, message} = await readAuthorship(context, sha);
  return await commitTree(context, {tree, parents: [tip], message, env: {...env, ...author}});
}

async function mergeAsOne(context: GitContext, merge: Merge): Promise<string> {
  const {onto, head, committer, resolved, message} = merge;
  const merged = await mergeTrees(context, onto, head);
  const open = merged.conflicts.filter((path) => !resolved.includes(path));
  if (open.length > 0) throw conflict(merge, open, head);
  const tree = await takeVersions(context, merged.tree, {head, paths: merged.conflicts});
  const env = identityEnvironment(committer);
  return await commitTree(context, {tree, parents: [onto, head], message, env});
}

export interface MergedTrees {
  readonly tree: string;
  readonly conflicts: readonly string[];
}

export async function mergeTrees(context: GitContext, ours: string, theirs: string): Promise<MergedTrees> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const {stdout} = await runGit(context, args, {exit_codes: [0, 1]});
  const [tree = '', ...conflicts] = stdout.split('\0').slice(0, -1);
  return {tree, conflicts: [...new Set(conflicts)]};
}

/** The tree with the paths as in `head`. Paths that `head` lacks are deleted. */
export async function takeVersions(
  context: GitContext,
  tree: string,
  {head, paths}: {readonly head: string; readonly paths: readonly string[]},
): Promise<string> {
  if (paths.length === 0) return tree;
  return await withScratchIndex(context, async (scratch) => {
    // The tree must remain, so only the index is a scratch copy.
    const env = {GIT_INDEX_FILE: scratch.GIT_INDEX_FILE};
    await runGit(context, ['read-tree', tree], {env});
    const {stdout: entries} = await runGit(context, ['ls-tree', '-r', '-z', head]);
    const gone = paths.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`).join('');
    const kept = entries.split('\0').filter((entry) => paths.includes(entry.slice(entry.indexOf('\t') + 1)));
    const stdin = gone + kept.map((entry) => `${entry}\0`).join('');
    await runGit(context, ['update-index', '-z', '--index-info'], {env, stdin});
    return (await runGit(context, ['write-tree'], {env})).stdout.trim();
  });
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function commitTree(context: GitContext, {tree, parents, message, env}: NewCommit): Promise<string> {
  const args = ['commit-tree', '--no-gpg-sign', ...parents.flatMap((parent) => ['-p', parent]), tree];
  return (await runGit(context, args, {env, stdin: message})).stdout.trim();
}

export async function treeOf(context: GitContext, commit: string): Promise<string> {
  return (await runGit(context, ['rev-parse', `${commit}^{tree}`])).stdout.trim();
}

async function readAuthorship(
  context: GitContext,
  commit: string,
): Promise<{readonly author: Readonly<Record<string, string>>; readonly message: string}> {
  const args = ['log', '--max-count=1', '--encoding=UTF-8', '--date=raw', '--format=%an%x00%ae%x00%ad%x00%B', commit];
  const [name = '', email = '', date = '', message = ''] = (await runGit(context, args)).stdout.split('\0');
  const author = {GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: `@${date}`};
  return {author, message: `${message.trimEnd()}\n`};
}

function conflict({onto}: Merge, paths: readonly string[], commit: string): ToolError {
  const [first = ''] = paths;
  const what = paths.length === 1 ? `\`${first}\`` : `\`${first}\` and ${paths.length - 1} more`;
  return new ToolError(
    'MERGE_CONFLICT',
    `${what} conflicts with a change on the main branch, so nothing was merged: see that version with \`git:show\`, ` +
      'combine both in your version, commit it, and list the paths in `resolved`',
    {paths, commit, onto},
  );
}
