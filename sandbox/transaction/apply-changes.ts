// Applies staged changes to the workspace, each by renaming, and all or none of them: if one fails, those before it are undone.
// No symlink in a path is followed, even if directories are swapped in the meantime.
import {chmodSync, linkSync, lstatSync, readdirSync, renameSync, unlinkSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {openDirectoryOnce, type OpenedDirectory} from '../files/open-directory-once.ts';
import {parentSegments} from '../files/open-directory.ts';
import {SymlinkMet} from '../files/symlink-met.ts';
import {SandboxError} from '../sandbox-error.ts';
import {AppliedInPart} from './applied-in-part.ts';
import {ChangedConcurrently} from './changed-concurrently.ts';
import {describeSystemError} from './describe-system-error.ts';
import {UndoFailed} from './undo-failed.ts';
import {identity, lookAtOnce} from './entry.ts';
import type {Change} from './change.ts';
import {isStill} from './find-conflicts.ts';
import {commitOf, type Commit, type CommitInput} from './commit.ts';
import {hasJournal} from './journal.ts';
import type {Step} from './step.ts';
import {keepOld} from './keep-old.ts';
import {setTimes, type KeptTimes} from './kept-times.ts';
import {moveTreeBack} from './move-tree-back.ts';
import {noTrees, type WholeTrees} from './whole-trees.ts';
import {undoSteps, type UndoInput} from './undo-steps.ts';

export interface ApplyInput extends CommitInput {
  /** Further names of files that were staged. */
  readonly sources?: readonly string[];
  /** Trees that are not staged, but moved as a whole. */
  readonly trees?: WholeTrees;
  readonly times?: KeptTimes | undefined;
  /** The last check before the first step. It runs while the journal is written to disk. Rejects if nothing may be applied. */
  check?(): Promise<void>;
}

const stepsPerTurn = 64;
const sourcesPerTurn = 256;

/** Rejects if a step fails; then the workspace is as it was, or the error lists what is not. */
export async function applyChanges(input: ApplyInput): Promise<void> {
  const {root, folder, steps, changes, sources = [], trees = noTrees, times = new Map()} = input;
  if (steps.length === 0) return setTimes(root, times);
  const befores = new Map(changes.map(({path, before}) => [path, before]));
  const commit = commitOf(input);
  await begin(commit, input);
  const moved: Step[] = [];
  try {
    for (const run of runsOfSiblings(steps.filter(({path}) => !trees.treeOf.has(path)))) {
      moveRun(run, {root, folder, befores, moved, trees});
      await turn();
    }
    await commit.sync();
    // Another program may have had it open and written to it until now.
    for (const step of moved) checkKept(step, folder, befores.get(step.path));
  } catch (error) {
    throw await undoFailedApply(error, commit, {...input, steps: moveTreesBack(moved, input)});
  }
  // If they were removed later, the times of the files would change, and the next call would consider that somebody else's
  // change.
  for (const [index, source] of sources.entries()) {
    removeIfThere(source);
    if (index % sourcesPerTurn === 0) await turn();
  }
  setTimes(
    root,
    [...times].filter(([path]) => !trees.roots.has(path) && !trees.treeOf.has(path)),
  );
  await commit.end();
  for (const {path, number} of moved) {
    if (hasNames(befores.get(path))) removeIfThere(join(folder, 'old', String(number)));
  }
}

/** The file stays, under another name, and removing this one changes its mark: as for sources, that cannot wait. */
function hasNames(before: Change['before']): boolean {
  return before?.kind === 'file' && before.links > 1;
}

async function begin(commit: Commit, {check}: ApplyInput): Promise<void> {
  const [written, checked] = await Promise.allSettled([commit.begin(), check?.()]);
  if (written.status === 'rejected') throw written.reason;
  if (checked.status === 'fulfilled') return;
  await commit.end();
  throw checked.reason;
}

/** Returns the steps still to undo, with those of trees that somebody has changed. */
function moveTreesBack(moved: readonly Step[], {root, steps, trees = noTrees}: ApplyInput): readonly Step[] {
  const stay = new Set<string>();
  const left = new Set(moved);
  for (const step of moved.toReversed()) {
    const source = trees.roots.get(step.path);
    if (source === undefined) continue;
    const inside = new Map(steps.flatMap((one) => (trees.treeOf.get(one.path) === step.path ? [[one.path, one]] : [])));
    if (moveTreeBack({root, source, step, inside})) left.delete(step);
    else stay.add(step.path);
  }
  return steps.filter((step) => left.has(step) || stay.has(trees.treeOf.get(step.path) ?? ''));
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Returns the error to report. It names what could not be undone, and where that is. */
async function undoFailedApply(
  error: unknown,
  commit: Commit,
  {root, folder, seal, steps}: CommitInput,
): Promise<unknown> {
  const undone = await undoOrExplain({root, folder, steps});
  if (undone instanceof Error) {
    // Its journal stays, if it has one.
    const next = (await hasJournal(folder))
      ? 'the next host that starts will retry'
      : `the previous content is in \`${await keepOld(steps, {root, folder, id: seal.id})}\``;
    return new AppliedInPart(`${textOf(error)}; ${undone.message}; ${next}`, {cause: error});
  }
  const left = undone.filter((step) => !isShared(root, step));
  const kept = left.length === 0 ? undefined : await keepOld(left, {root, folder, id: seal.id});
  await commit.end();
  if (kept === undefined) return error;
  const paths = left.map(({path}) => `\`${path}\``).join(', ');
  return new AppliedInPart(
    `${textOf(error)}; LumenFlow left these paths, which have changed since: ${paths}; their previous content is in \`${kept}\``,
    {cause: error},
  );
}

async function undoOrExplain(input: UndoInput): Promise<readonly Step[] | UndoFailed> {
  try {
    return await undoSteps(input);
  } catch (error) {
    if (error instanceof UndoFailed) return error;
    throw error;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A new directory that others use by now: it stays, and does not block anything. */
function isShared(root: string, {path, had, modes}: Step): boolean {
  return had === undefined && modes === undefined && lookAtOnce(join(root, path))?.kind === 'directory';
}

/** Consecutive steps in the same directory, which is opened once for them. */
function runsOfSiblings(steps: readonly Step[]): readonly (readonly Step[])[] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    const isSibling = last?.[0] !== undefined && dirname(last[0].path) === dirname(step.path);
    if (isSibling && last.length < stepsPerTurn) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

interface Scene {
  readonly root: string;
  readonly folder: string;
  readonly befores: ReadonlyMap<string, Change['before']>;
  readonly moved: Step[];
  readonly trees: WholeTrees;
}

function moveRun(run: readonly Step[], scene: Scene): void {
  const path = run[0]?.path ?? '';
  const directory = asConcurrentChange(path, () => openDirectoryOnce(scene.root, parentSegments(path)));
  try {
    for (const step of run) {
      scene.moved.push(step);
      asConcurrentChange(step.path, () => moveStep(step, directory, scene));
    }
  } finally {
    directory.close();
  }
}

function moveStep(
  {path, number, had, gets, modes}: Step,
  directory: OpenedDirectory,
  {folder, befores, trees}: Scene,
): void {
  const target = directory.child(basename(path));
  const old = join(folder, 'old', String(number));
  const staged = trees.roots.get(path) ?? join(folder, 'new', String(number));
  const before = befores.get(path);
  const check = (place: string): void => {
    if (before === undefined || !isStill(place, before)) throw new ChangedConcurrently(path);
  };
  if (modes !== undefined) {
    const now = lookAtOnce(target);
    if (now === undefined || identity(now) !== had || now.mode !== modes[0]) throw new ChangedConcurrently(path);
    chmodSync(target, modes[1]);
  } else if (before === undefined) {
    place(staged, target, path);
  } else if (gets === undefined || before.kind === 'directory') {
    check(target);
    renameSync(target, old);
    check(old);
    if (before.kind === 'directory' && readdirSync(old).length > 0) throw new ChangedConcurrently(path);
    if (gets !== undefined) place(staged, target, path);
  } else {
    check(target);
    // Both exist for a moment, so that the path always has a file.
    linkSync(target, old);
    check(old);
    if (lstatSync(staged).isDirectory()) renameSync(target, `${old}.gone`);
    renameSync(staged, target);
  }
}

/** Where there must be nothing. */
function place(staged: string, target: string, path: string): void {
  if (!lstatSync(staged).isDirectory()) {
    linkSync(staged, target);
    unlinkSync(staged);
    return;
  }
  if (lstatSync(target, {throwIfNoEntry: false}) !== undefined) throw new ChangedConcurrently(path);
  renameSync(staged, target);
}

function checkKept({path, number, modes}: Step, folder: string, before: Change['before']): void {
  if (modes !== undefined || before?.kind !== 'file') return;
  if (!isStill(join(folder, 'old', String(number)), before)) throw new ChangedConcurrently(path);
}

const signsOfOthers: ReadonlySet<unknown> = new Set(['ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'ESTALE']);

/** Reports a concurrent change: something appeared where there was nothing, or the reverse. */
function asConcurrentChange<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error || error instanceof SymlinkMet)) throw error;
    if (error instanceof SymlinkMet || signsOfOthers.has(error.code)) throw new ChangedConcurrently(path);
    throw new SandboxError('SYSTEM_REFUSED', `\`${path}\` cannot be changed (${describeSystemError(error)})`, {
      cause: error,
    });
  }
}
