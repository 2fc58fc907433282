// Reverts a range of commits as one commit on git's objects, without a working tree. A conflict leaves nothing half done.
import {ToolError} from '@lumenflow/pack-sdk';
import type {CommitIdentity} from '../pack-config.ts';
import {identityEnvironment} from './commit-identity.ts';
import {commitTree, mergeTrees, takeVersions, treeOf} from './merge-commits.ts';
import type {GitContext} from './run-git.ts';

export interface Revert {
  /** The commit to revert on. */
  readonly tip: string;
  /** The range: commits after `from`, up to `to`. */
  readonly from: string;
  readonly to: string;
  /** Paths that stay as they are. */
  readonly kept: readonly string[];
  readonly committer: CommitIdentity;
  readonly message: string;
}

/** Returns the new commit, or `tip` itself if nothing of the range is left. Throws ToolError REVERT_CONFLICT with the paths. */
export async function revertCommits(context: GitContext, revert: Revert): Promise<string> {
  const {tip, from, to, kept, committer, message} = revert;
  const env = identityEnvironment(committer);
  // Stand-ins with `to` as their parent make it the merge base: what the range did is then what the other side lacks.
  const standIn = async (tree: string): Promise<string> =>
    await commitTree(context, {tree, parents: [to], message: 'stand-in', env});
  const current = await treeOf(context, tip);
  const merged = await mergeTrees(context, await standIn(current), await standIn(await treeOf(context, from)));
  const conflicts = merged.conflicts.filter((path) => !kept.includes(path));
  if (conflicts.length > 0) throw conflict(conflicts);
  const tree = await takeVersions(context, merged.tree, {head: tip, paths: kept});
  return tree === current ? tip : await commitTree(context, {tree, parents: [tip], message, env});
}

function conflict(paths: readonly string[]): ToolError {
  const [first = ''] = paths;
  const what = paths.length === 1 ? `\`${first}\`` : `\`${first}\` and ${paths.length - 1} more`;
  const message = `later commits changed ${what}, so the work cannot be reverted by itself: create a work unit that removes it`;
  return new ToolError('REVERT_CONFLICT', message, {paths});
}
