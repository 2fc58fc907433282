// Undoes the steps of an application, last step first. It depends only on what it finds, so it may be repeated, and it leaves
// alone what a person has created or edited since.
import {chmod, lstat, rename, rmdir, unlink} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {childPath, inDirectory, parentSegments} from '../files/open-directory.ts';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import {SymlinkMet} from '../files/symlink-met.ts';
import {identity} from './entry.ts';
import {describeSystemError} from './describe-system-error.ts';
import {hashFile} from './hash-file.ts';
import {UndoFailed, type RefusedPath} from './undo-failed.ts';
import type {Step, StepContent} from './step.ts';
import {errorCode} from '../error-code.ts';

export interface UndoInput {
  readonly root: string;
  readonly folder: string;
  readonly steps: readonly Step[];
}

/**
 * Steps whose paths are not as they were before, because a person changed them. What was there before is still in `old`. Rejects
 * with `UndoFailed` if the system refuses some; all others are undone then.
 */
export async function undoSteps({root, folder, steps}: UndoInput): Promise<readonly Step[]> {
  const left: Step[] = [];
  const refused: RefusedPath[] = [];
  for (const step of steps.toReversed()) {
    const segments = parentSegments(step.path);
    const old = join(folder, 'old', String(step.number));
    const isUndone = await inDirectory(
      {root, segments, make: false},
      async (directory) => await undo(step, childPath(directory, basename(step.path)), old),
    ).catch(async (error: unknown) => {
      // Without its directory nothing can be put back; it matters if there is something to put.
      if (isWithoutParent(error)) return (await identityAt(old)) === undefined;
      refused.push({path: step.path, why: describeSystemError(error)});
      return true;
    });
    if (!isUndone) left.push(step);
  }
  if (refused.length > 0) throw new UndoFailed(refused);
  return left;
}

async function undo({had, gets, content, modes}: Step, target: string, old: string): Promise<boolean> {
  const now = await identityAt(target);
  if (modes !== undefined) {
    if (now === had) await chmod(target, modes[0]);
    return now === had;
  }
  const kept = await identityAt(old);
  // Not taken, or undone already.
  if (now === had) return true;
  // Nothing of ours is there; what was kept is what they have replaced.
  if (now !== undefined && now !== gets) return kept === undefined || kept === now;
  if (now !== undefined && !(await removed(target, content))) return false;
  if (kept !== undefined) await rename(old, target);
  return true;
}

/** False for a directory in which there is something else, and for a file that was edited. */
async function removed(target: string, content: StepContent | undefined): Promise<boolean> {
  try {
    if ((await lstat(target)).isDirectory()) await rmdir(target);
    else if (content !== undefined && !(await isUnedited(target, content))) return false;
    else await unlink(target);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY') return false;
    throw error;
  }
}

/** A program can set the time of an edit, so the content is compared too. */
async function isUnedited(target: string, {bytes, mtime, sha256}: StepContent): Promise<boolean> {
  const now = await lstat(target, {bigint: true});
  if (now.size !== BigInt(bytes) || now.mtimeNs !== BigInt(mtime)) return false;
  if ((now.mode & 0o400n) === 0n) await chmod(target, Number(now.mode & 0o7777n) | 0o400);
  return (await hashFile(target)) === sha256;
}

async function identityAt(path: string): Promise<string | undefined> {
  const stat = await undefinedIfMissing(lstat(path, {bigint: true}));
  return stat === undefined ? undefined : identity(stat);
}

function isWithoutParent(error: unknown): boolean {
  return error instanceof SymlinkMet || ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(errorCode(error)));
}
