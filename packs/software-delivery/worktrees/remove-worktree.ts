// Takes a worktree away, its branch stays. Its file `.git` goes first: begun and not finished, it is known for no worktree
// any more, and removing it again goes on where it stopped. What other sandboxes may have mounted is removed by the host.
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
  /** Uncommitted work in it is lost. */
  readonly force?: boolean;
}

/** Throws ToolErrors NOT_FOUND, WORKTREE_DIRTY and WORKTREE_LEFT. */
export async function removeWorktree(context: WorktreeContext, removal: WorktreeRemoval): Promise<void> {
  await checkRemovable(context, removal);
  await forgetWorktree(context, removal.path);
  await removeFolder(context, removal.path);
}

/** Git knows it no more; its files stay. Throws ToolError WORKTREE_LEFT. */
export async function forgetWorktree(context: WorktreeContext, path: string): Promise<void> {
  await removeIfThere(context, `${path}/.git`);
  await removeFolder(context, adminFolder(path));
}

/** What would be lost, or is no worktree, is refused. */
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

/** Of the worktree: changed, in conflict or untracked. */
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

/** What is mounted here on its own can be removed by the host alone, and only where a scope names it. */
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
