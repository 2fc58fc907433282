// Makes the worktree and the branch of a work unit. Begun and not finished, it is finished by doing it again.
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
  /** Of the work unit. */
  readonly id: string;
  readonly branch: string;
  /** A revision that a new branch begins at. */
  readonly base: string;
}

export interface CreatedWorktree {
  /** Relative to the workspace root. */
  readonly path: string;
  readonly branch: string;
  /** The commit that the worktree is at. */
  readonly head: string;
  /** False: it was there. */
  readonly created: boolean;
  /** Files that programs outside a sandbox obey, which no scope names: they are in the commit and not in the folder. */
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
 * The folder hides itself from git, so that the worktrees in it are no untracked files of the workspace. False where this
 * call cannot write in it: a sandbox that writes directly has the folders that were there when it began, so the first
 * worktree needs another one.
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
  // --force takes over the place of a worktree whose folder is gone.
  await runGit(context, ['worktree', 'add', '--quiet', '--no-checkout', '--force', ...from]);
  return true;
}

/** Git marks a worktree as locked until it has made it, and makes its HEAD meanwhile; what is checked out has an index. */
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
