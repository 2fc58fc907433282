// Detects a call's changes to a workspace's files from hashes of all files before and after it.
import {createHash} from 'node:crypto';
import type {Dirent} from 'node:fs';
import {readdir, readFile, readlink} from 'node:fs/promises';
import {join, posix} from 'node:path';

/** Hash by path; the runtime's own files are omitted. */
export type TreeState = ReadonlyMap<string, string>;

export async function readTree(root: string): Promise<TreeState> {
  const state = new Map<string, string>();
  await addFolder(root, '', state);
  return state;
}

async function addFolder(root: string, folder: string, state: Map<string, string>): Promise<void> {
  for (const entry of await readdir(join(root, folder), {withFileTypes: true})) {
    const path = posix.join(folder, entry.name);
    // Its directory is not read either: its files can appear and disappear at any time.
    if (path === '.lumenflow') continue;
    state.set(path, await describe(join(root, path), entry));
    if (entry.isDirectory()) await addFolder(root, path, state);
  }
}

async function describe(file: string, entry: Dirent): Promise<string> {
  if (entry.isSymbolicLink()) return `link ${await readlink(file)}`;
  if (!entry.isFile()) return 'folder';
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Paths that were added, removed or changed. */
export function changedPaths(before: TreeState, after: TreeState): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted();
}
