// Takes back what was done of an application, last step first. It goes by what it finds, so it may be repeated, and it
// leaves alone what somebody else has put in place meanwhile.
import {chmod, lstat, rename, rmdir, unlink} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {childPath, inDirectory, parentSegments} from '../files/open-directory.ts';
import {orAbsent} from '../files/or-absent.ts';
import type {Step} from './journal.ts';
import {identity} from './stage-changes.ts';

export interface UndoInput {
  readonly root: string;
  readonly folder: string;
  readonly steps: readonly Step[];
}

/** Paths that are not as they were before, because somebody else changed them. */
export async function undoSteps({root, folder, steps}: UndoInput): Promise<readonly string[]> {
  const left: string[] = [];
  for (const step of steps.toReversed()) {
    const segments = parentSegments(step.path);
    const old = join(folder, 'old', String(step.number));
    const isUndone = await inDirectory(
      {root, segments, make: false},
      async (directory) => await undo(step, childPath(directory, basename(step.path)), old),
    ).catch(async (error: unknown) => {
      // Without its directory nothing can be put back; it matters if there is something to put.
      if (isWithoutParent(error)) return (await identityAt(old)) === undefined;
      throw error;
    });
    if (!isUndone) left.push(step.path);
  }
  return left;
}

async function undo({had, gets, modes}: Step, target: string, old: string): Promise<boolean> {
  const now = await identityAt(target);
  if (modes !== undefined) {
    if (now === had) await chmod(target, modes[0]);
    return now === had;
  }
  const kept = await identityAt(old);
  // Not taken, or taken back already.
  if (now === had) return true;
  // Nothing of ours stands there; what was kept is what they have replaced.
  if (now !== undefined && now !== gets) return kept === undefined || kept === now;
  if (now !== undefined && !(await removed(target))) return false;
  if (kept !== undefined) await rename(old, target);
  return true;
}

/** False for a directory in which somebody else has put something. */
async function removed(target: string): Promise<boolean> {
  try {
    await ((await lstat(target)).isDirectory() ? rmdir(target) : unlink(target));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY') return false;
    throw error;
  }
}

async function identityAt(path: string): Promise<string | undefined> {
  const stat = await orAbsent(lstat(path, {bigint: true}));
  return stat === undefined ? undefined : identity(stat);
}

function isWithoutParent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(codeOf(error))) || (error as Error).name === 'SymlinkMet';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
