// Creates the worktree and the branch of a work unit. Calling it again finishes an interrupted creation.
import {access, constants} from 'node:fs/promises';
import {ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {findCommit, findCommitIfAny} from '../git/find-commit.ts';
import {runGit, type GitContext} from '../git/run-git.ts';
import {atRoot} from './in-work-tree.ts';
import {checkOutAllowed} from './check-out-allowed.ts';
import {listWorktrees} from './list-worktrees.ts';
import {forgetWorktree} from './remove-worktree.ts';
import {adminFolder, worktreePath, worktreesFolder} from './worktree-place.ts';

export interface WorktreeRequest {
  /** The work unit's id. */
  readonly id: string;
  readonly branch: string;
  /** Revision that a new branch starts from. */
  readonly base: string;
}

export interface CreatedWorktree {
  /** Relative to the workspace root. */
  readonly path: string;
  readonly branch: string;
  /** The worktree's commit. */
  readonly head: string;
  /** False if it already existed. */
  readonly created: boolean;
  /** Files that programs outside the sandbox trust and that no scope names: in the commit, but not in the folder. */
  readonly left_out: readonly string[];
}

type WorktreeContext = GitContext & {readonly fs: ScopedFileSystem};

/** Throws ToolErrors INVALID_INPUT, UNKNOWN_REVISION, WORKTREE_EXISTS and BRANCH_IN_USE. */
export async function createWorktree(context: WorktreeContext, request: WorktreeRequest): Promise<CreatedWorktree> {
  const {id, branch} = request;
  const path = placeOf(id);
  await checkBranchName(context, branch);
  const isNew = await addWorktree(context, {...request, path});
  const inside = atRoot(context, path);
  const leftOut = await checkOutAllowed(inside, path);
  const head = await findCommit(inside, 'HEAD');
  return {path, branch, head, created: isNew, left_out: leftOut};
}

/**
 * The folder ignores itself, so that its worktrees are not untracked files of the workspace. Returns false if this call cannot
 * write in it. A direct sandbox has only the folders that existed at its start, so the first worktree needs another call.
 */
export async function makeWorktreesFolder({fs, workspace_root: root}: WorktreeContext): Promise<boolean> {
  const ignore = `${worktreesFolder}/.gitignore`;
  if ((await fs.stat(ignore)) === undefined) await fs.write(ignore, '*\n');
  return await access(`${root}/${worktreesFolder}`, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function addWorktree(context: WorktreeContext, request: WorktreeRequest & {path: string}): Promise<boolean> {
  const {branch, path} = request;
  await forgetUnfinished(context, path);
  const worktrees = await listWorktrees(context);
  const here = worktrees.find((worktree) => worktree.path === path);
  if (here !== undefined && here.missing !== true) {
    if (here.branch === branch) return false;
    throw new ToolError('WORKTREE_EXISTS', `\`${path}\` is already a worktree of \`${here.branch ?? 'no branch'}\``);
  }
  const other = worktrees.find((worktree) => worktree.branch === branch && worktree.path !== path);
  if (other !== undefined) {
    throw new ToolError('BRANCH_IN_USE', `\`${branch}\` is already checked out in \`${other.path}\``, {
      path: other.path,
    });
  }
  const hasBranch = (await findCommitIfAny(context, `refs/heads/${branch}`)) !== undefined;
  const from = hasBranch ? [path, branch] : ['-b', branch, path, await findCommit(context, request.base)];
  // --force takes over the entry of a worktree whose folder is missing.
  await runGit(context, ['worktree', 'add', '--quiet', '--no-checkout', '--force', ...from]);
  return true;
}

/** Git locks a worktree while it creates it and its HEAD. A worktree that was checked out has an index. */
async function forgetUnfinished(context: WorktreeContext, path: string): Promise<void> {
  const admin = adminFolder(path);
  const isThere = async (place: string): Promise<boolean> => (await context.fs.stat(place)) !== undefined;
  if (!(await isThere(admin)) || (await isThere(`${admin}/index`))) return;
  const isUnfinished = (await isThere(`${admin}/locked`)) || !(await isThere(`${admin}/HEAD`));
  if (isUnfinished) await forgetWorktree(context, path);
}

function placeOf(id: string): string {
  const path = worktreePath(id);
  if (path === undefined) throw new ToolError('INVALID_INPUT', `\`${id}\` is not a work unit id, such as \`WU-12\``);
  return path;
}

async function checkBranchName(context: GitContext, branch: string): Promise<void> {
  const {exit_code: code} = await runGit(context, ['check-ref-format', '--branch', branch], {exit_codes: [0, 1, 128]});
  if (code !== 0) throw new ToolError('INVALID_INPUT', `\`${branch}\` is not a valid branch name`);
}
