// Directories that their own user may not write to are unlocked before anything in them changes, and get their permissions last,
// deepest first. Both are ordinary steps, so they are undone too.
import {lstatSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {identity} from './entry.ts';
import type {Change} from './change.ts';
import type {Step} from './step.ts';

export interface ModesInput {
  readonly changes: readonly Change[];
  /** Changes of permissions alone. */
  readonly modes: readonly Step[];
  /** All other steps. */
  readonly steps: readonly Step[];
  readonly root: string;
  /** Final permissions of a new directory that is staged open. */
  isLocked(path: string): number | undefined;
}

const open = 0o700;

export function planModes(input: ModesInput): {readonly unlock: readonly Step[]; readonly lock: readonly Step[]} {
  const unlock: Step[] = [];
  const lock = new Map(input.modes.map((step) => [step.path, step]));
  const gone = new Set(input.steps.map(({path}) => path));
  let number = input.changes.length;
  for (const {path, gets} of input.steps) {
    const mode = gets === undefined ? undefined : input.isLocked(path);
    if (mode !== undefined) lock.set(path, {number: number++, path, had: String(gets), modes: [mode | open, mode]});
  }
  for (const path of process.geteuid?.() === 0 ? [] : toOpen(input)) {
    const locked = lockedDirectory(join(input.root, path));
    if (locked === undefined) continue;
    const {had, mode} = locked;
    unlock.push({number: number++, path, had, modes: [mode, mode | open]});
    if (gone.has(path)) continue;
    const final = lock.get(path);
    lock.set(path, {number: final?.number ?? number++, path, had, modes: [mode | open, final?.modes?.[1] ?? mode]});
  }
  return {unlock: unlock.toSorted(outermostFirst), lock: [...lock.values()].toSorted(outermostFirst).toReversed()};
}

/** A directory of this user that it may not write to. */
function lockedDirectory(path: string): {readonly had: string; readonly mode: number} | undefined {
  const stat = lstatSync(path, {bigint: true, throwIfNoEntry: false});
  if (stat?.isDirectory() !== true || Number(stat.uid) !== process.geteuid?.()) return undefined;
  const mode = Number(stat.mode) & 0o7777;
  return (mode & open) === open ? undefined : {had: identity(stat), mode};
}

/** Existing directories in which names come and go, and those that are moved away themselves. */
function toOpen({changes, steps}: ModesInput): ReadonlySet<string> {
  const made = new Set(changes.flatMap(({path, before}) => (before === undefined ? [path] : [])));
  const removed = changes.flatMap(({path, before, after}) =>
    before?.kind === 'directory' && after?.kind !== 'directory' ? [path] : [],
  );
  const parents = steps.map(({path}) => dirname(path)).filter((path) => path !== '.' && !made.has(path));
  return new Set([...parents, ...removed]);
}

function outermostFirst(a: Step, b: Step): number {
  return a.path.split('/').length - b.path.split('/').length;
}
