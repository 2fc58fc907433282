// Directories that a call made with all their contents, on the workspace's own file system. One rename brings each into the
// workspace, and its inodes stay the same. An overlay leaves no marks inside a directory that the call made.
import {dirname} from 'node:path';
import type {Change} from './change.ts';

export interface WholeTrees {
  /** The path of each tree, and where it lies. */
  readonly roots: ReadonlyMap<string, string>;
  /** The tree that an entry lies in; the tree itself is in none. */
  readonly treeOf: ReadonlyMap<string, string>;
}

export const noTrees: WholeTrees = {roots: new Map(), treeOf: new Map()};

/** Entries of smaller ones come one by one, so that two calls can both make a directory. */
const entriesMin = 8;

/** `hashes`: SHA-256 of files, by path. */
export function findWholeTrees(changes: readonly Change[], hashes: ReadonlyMap<string, string>): WholeTrees {
  const made = new Map(changes.flatMap((change) => (isMadeDirectory(change) ? [[change.path, change.source]] : [])));
  if (made.size === 0) return noTrees;
  const broken = new Set<string>();
  const entries = new Map<string, number>();
  for (const change of changes) {
    const isWhole = canBeMoved(change, hashes);
    for (let path = isWhole ? dirname(change.path) : change.path; path !== '.'; path = dirname(path)) {
      if (!isWhole) broken.add(path);
      entries.set(path, (entries.get(path) ?? 0) + 1);
    }
  }
  const isRoot = (path: string): boolean =>
    made.has(path) && made.has(dirname(path)) && !broken.has(path) && (entries.get(path) ?? 0) >= entriesMin;
  return treesBelow(changes, made, isRoot);
}

function treesBelow(
  changes: readonly Change[],
  made: ReadonlyMap<string, string>,
  isRoot: (path: string) => boolean,
): WholeTrees {
  const roots = new Map<string, string>();
  const treeOf = new Map<string, string>();
  // Sorted by path, so that a directory comes before what is in it.
  for (const {path} of changes) {
    const parent = dirname(path);
    const tree = treeOf.get(parent) ?? (roots.has(parent) ? parent : undefined);
    const source = made.get(path);
    if (tree !== undefined) treeOf.set(path, tree);
    else if (source !== undefined && isRoot(path)) roots.set(path, source);
  }
  return {roots, treeOf};
}

function isMadeDirectory(change: Change): change is Change & {readonly source: string} {
  const {kind, after, isMade, source} = change;
  return kind === 'created' && after?.kind === 'directory' && isMade === true && source !== undefined;
}

/** Entries that their user cannot read or move were unlocked for inspection; another name of a file may lie elsewhere. */
function canBeMoved({path, kind, after, isMade, linkOf}: Change, hashes: ReadonlyMap<string, string>): boolean {
  if (kind !== 'created' || isMade !== true || linkOf !== undefined) return false;
  if (after?.kind === 'directory') return (after.mode & 0o700) === 0o700;
  if (after?.kind === 'file') return after.links === 1 && (after.mode & 0o400) === 0o400 && hashes.has(path);
  return after?.kind === 'symlink';
}
