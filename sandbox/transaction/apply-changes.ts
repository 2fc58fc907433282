// Puts staged changes into the workspace, each by renaming, and all or none of them: when one cannot be put, those
// before it are taken back. Directories are walked into without following symlinks, whoever swaps them meanwhile.
import {chmod, link, lstat, readdir, rename} from 'node:fs/promises';
import {dirname, basename, join} from 'node:path';
import {childPath, inDirectory, parentSegments, type OpenDirectory} from '../files/open-directory.ts';
import {SymlinkMet} from '../files/symlink-met.ts';
import {orAbsent} from '../files/or-absent.ts';
import type {Change} from './find-changes.ts';
import {isStill} from './find-conflicts.ts';
import {endJournal, writeJournal, type JournalSeal} from './journal.ts';
import type {Step} from './step.ts';
import {keepOld} from './keep-old.ts';
import {undoSteps} from './undo-steps.ts';

/** The workspace is not as it was when the changes were checked. */
export class ChangedMeanwhile extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`\`${path}\` was changed`);
    this.path = path;
  }
}

export interface ApplyInput {
  readonly root: string;
  /** The transaction's own folder, on the file system of the root. */
  readonly folder: string;
  readonly seal: JournalSeal;
  readonly steps: readonly Step[];
  readonly changes: readonly Change[];
}

/** Rejects when a step cannot be taken; then the workspace is as it was, or the error says what is not. */
export async function applyChanges({root, folder, seal, steps, changes}: ApplyInput): Promise<void> {
  const befores = new Map(changes.map(({path, before}) => [path, before]));
  await writeJournal(folder, seal, steps);
  const taken: Step[] = [];
  try {
    for (const run of runsOfSiblings(steps)) {
      const [first] = run;
      if (first === undefined) continue;
      const work = inDirectory({root, segments: parentSegments(first.path), make: false}, async (directory) => {
        for (const step of run) {
          taken.push(step);
          await take(step, {directory, folder, before: befores.get(step.path)});
        }
      });
      await meanwhile(first.path, work);
    }
  } catch (error) {
    const left = await undoSteps({root, folder, steps: taken});
    const kept = left.length === 0 ? undefined : await keepOld(left, {root, folder, id: seal.id});
    await endJournal(folder);
    if (kept === undefined) throw error;
    const paths = left.map(({path}) => `\`${path}\``).join(', ');
    throw new Error(
      `${String(error)}; changed meanwhile and left as they are: ${paths}; what was there before is in \`${kept}\``,
      {cause: error},
    );
  }
  await endJournal(folder);
}

/** Steps one after the other in the same directory, which is opened once for them. */
function runsOfSiblings(steps: readonly Step[]): readonly (readonly Step[])[] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && dirname(last[0].path) === dirname(step.path)) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

interface Scene {
  readonly directory: OpenDirectory;
  readonly folder: string;
  readonly before: Change['before'];
}

async function take({path, number, gets, modes}: Step, {directory, folder, before}: Scene): Promise<void> {
  const target = childPath(directory, basename(path));
  const old = join(folder, 'old', String(number));
  const staged = join(folder, 'new', String(number));
  const check = async (place: string): Promise<void> => {
    if (before === undefined || !(await isStill(place, before))) throw new ChangedMeanwhile(path);
  };
  if (modes !== undefined) {
    await check(target);
    await chmod(target, modes[1]);
  } else if (before === undefined) {
    await place(staged, target, path);
  } else if (gets === undefined || before.kind === 'directory') {
    await meanwhile(path, rename(target, old));
    await check(old);
    if (before.kind === 'directory' && (await readdir(old)).length > 0) throw new ChangedMeanwhile(path);
    if (gets !== undefined) await place(staged, target, path);
  } else {
    // Both are there for a moment, so that the path is never without a file.
    await meanwhile(path, link(target, old));
    await check(old);
    if ((await lstat(staged)).isDirectory()) await rename(target, `${old}.gone`);
    await rename(staged, target);
  }
}

/** Where there must be nothing. */
async function place(staged: string, target: string, path: string): Promise<void> {
  if (!(await lstat(staged)).isDirectory()) return await meanwhile(path, link(staged, target));
  if ((await orAbsent(lstat(target))) !== undefined) throw new ChangedMeanwhile(path);
  await meanwhile(path, rename(staged, target));
}

const signsOfOthers: ReadonlySet<unknown> = new Set(['ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY']);

/** Somebody else was faster when there is something where there was nothing, or the other way round. */
async function meanwhile(path: string, step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    const isOfOthers =
      error instanceof SymlinkMet || (error instanceof Error && 'code' in error && signsOfOthers.has(error.code));
    throw isOfOthers ? new ChangedMeanwhile(path) : error;
  }
}
