// Reads what a call has left in its view. It uses the upper layer if that is known, since the view enforces the permissions that
// the call set.
import {chmodSync, lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {ComparedTrees} from './compared-trees.ts';
import {lookAtOnce, type Entry} from './entry.ts';

export interface Found {
  readonly after: Entry;
  readonly source: string;
  /** The inode that the view shows; undefined if it is meaningless or not visible. */
  readonly shown: bigint | undefined;
  /** Whether what the view showed has another name by now, or none: after it was sealed the view looked for it by its name. */
  readonly isMoved: boolean;
  /** See `Change.isMade`. */
  readonly isMade: boolean;
}

export class ViewReader {
  /** Whether the upper layer lies on the workspace's file system: then the view shows the inodes of the workspace. */
  readonly showsInodes: boolean;
  readonly #trees: ComparedTrees;

  constructor(trees: ComparedTrees) {
    this.#trees = trees;
    const isOnDisk = lstatSync(`${trees.touched}/`).dev === lstatSync(trees.root).dev;
    this.showsInodes = isOnDisk && trees.copied === undefined;
  }

  /** What the view has at a path. It is read from the upper layer itself, where no permissions that a call set are in the way. */
  at(path: string): Found | undefined {
    const {view, touched} = this.#trees;
    const inView = join(view, path);
    if (!this.showsInodes) {
      const after = this.#linkable(path, lookAtOnce(inView));
      return after && {after, source: inView, shown: undefined, isMoved: false, isMade: false};
    }
    const source = join(touched, path);
    const upper = lookAtOnce(source);
    if (upper === undefined) {
      const after = lookAtOnce(inView);
      return after && {after, source: inView, shown: after.ino, isMoved: false, isMade: false};
    }
    if (upper.isWhiteout === true) return undefined;
    unlock(source, upper);
    const shown = this.#shown(path, upper);
    const isMoved = upper.kind === 'directory' && shown !== upper.ino && shown !== shownInode(inView);
    return {after: upper, source, shown, isMoved, isMade: shown === upper.ino};
  }

  /** An overlay may show two names of one file with two inodes; the upper layer has them as they are. */
  #linkable(path: string, after: Entry | undefined): Entry | undefined {
    if (after?.kind !== 'file' || after.links === 1) return after;
    return {...after, ino: lookAtOnce(join(this.#trees.touched, path))?.ino ?? after.ino};
  }

  #shown(path: string, upper: Entry): bigint | undefined {
    const {seen, view} = this.#trees;
    const early = seen?.get(path);
    if (early !== undefined && early.upper === upper.ino && early.shown !== upper.ino) return early.shown;
    // What came later may be a file that was copied up; of a directory the view says so itself.
    const isKnown = seen === undefined || early?.upper === upper.ino || upper.kind === 'directory';
    return isKnown ? shownInode(join(view, path)) : undefined;
  }
}

/** An ordinary user reads what a call has locked, since it lies in a folder of ours; `after` keeps the call's permissions. */
function unlock(source: string, {kind, mode}: Entry): void {
  const needed = kind === 'directory' ? 0o700 : kind === 'file' ? 0o400 : 0;
  if ((mode & needed) !== needed && process.geteuid?.() !== 0) chmodSync(source, mode | needed);
}

function shownInode(path: string): bigint | undefined {
  try {
    return lstatSync(path, {bigint: true}).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}
