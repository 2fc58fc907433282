// Removes a worktree and keeps its branch. Its `.git` file is removed first, so that an interrupted removal leaves no worktree,
// and removing again resumes. The host removes what other sandboxes may have mounted.
import {readdir, rm} from 'node:fs/promises';
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {parseStatus} from '../git/parse-status.ts';
import {runGit} from '../git/run-git.ts';
import {atRoot} from './in-work-tree.ts';
import {adminFolder, worktreesFolder} from './worktree-place.ts';

type WorktreeContext = Pick<ToolContext, 'exec' | 'fs' | 'workspace_root'>;

export interface WorktreeRemoval {
  /** Relative to the workspace root. */
  readonly path: string;
  /** Discards uncommitted work. */
  readonly force?: boolean;
}

/** Throws ToolErrors NOT_FOUND, WORKTREE_DIRTY and WORKTREE_LEFT. */
export async function removeWorktree(context: WorktreeContext, removal: WorktreeRemoval): Promise<void> {
  await checkRemovable(context, removal);
  await forgetWorktree(context, removal.path);
  await removeFolder(context, removal.path);
}

/** Removes git's entry and keeps the files. Throws ToolError WORKTREE_LEFT. */
export async function forgetWorktree(context: WorktreeContext, path: string): Promise<void> {
  await removeIfThere(context, `${path}/.git`);
  await removeFolder(context, adminFolder(path));
}

/** Rejects a path that is not a worktree, or that has uncommitted work. */
export async function checkRemovable(context: WorktreeContext, {path, force}: WorktreeRemoval): Promise<void> {
  if (!path.startsWith(`${worktreesFolder}/`)) {
    throw new ToolError('NOT_FOUND', `\`${path}\` is not the worktree of a work unit`, {path});
  }
  if ((await context.fs.stat(`${path}/.git`)) === undefined) {
    const isBegun = (await context.fs.stat(`${adminFolder(path)}/HEAD`)) !== undefined;
    if (isBegun || (await context.fs.stat(path)) !== undefined) return;
    throw new ToolError('NOT_FOUND', `\`${path}\` is not a worktree`, {path});
  }
  const lost = force === true ? [] : await uncommittedPaths(context, path);
  if (lost.length === 0) return;
  const message = `\`${path}\` has uncommitted work: commit it, or pass \`force\` to discard it`;
  throw new ToolError('WORKTREE_DIRTY', message, {path, paths: lost.slice(0, 100)});
}

/** The worktree's changed, conflicting or untracked paths. */
export async function uncommittedPaths(context: WorktreeContext, path: string): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=none'];
  const {stdout} = await runGit(atRoot(context, path), args);
  return parseStatus(stdout).entries.map((entry) => entry.path);
}

async function removeFolder(context: WorktreeContext, path: string): Promise<void> {
  const folder = `${context.workspace_root}/${path}`;
  for (const name of await namesIn(folder)) await removeIfPossible(context, `${path}/${name}`);
  const left = await namesIn(folder);
  if (left.length > 0) {
    const message = `\`${path}\` still contains \`${left[0]}\`, which no scope covers: remove it by hand`;
    throw new ToolError('WORKTREE_LEFT', message, {path, left});
  }
  await removeIfThere(context, path);
}

/** A path that is mounted separately can be removed only by the host, and only if a scope names it. */
async function removeIfPossible(context: WorktreeContext, path: string): Promise<void> {
  try {
    await rm(`${context.workspace_root}/${path}`, {recursive: true, force: true});
  } catch {
    await removeIfThere(context, path).catch(passOver(['SCOPE_DENIED', 'NOT_EMPTY']));
  }
}

function passOver(codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!isToolError(error) || !codes.includes(error.code)) throw error;
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function removeIfThere({fs}: WorktreeContext, path: string): Promise<void> {
  await fs.remove(path).catch(passOver(['NOT_FOUND']));
}
