// What a call did to a workspace's files, however it did it: hashes of all of them, before and after.
import {createHash} from 'node:crypto';
import {readdir, readFile, readlink} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';

/** Hash by path; what the runtime keeps for itself is left out. */
export type TreeState = ReadonlyMap<string, string>;

export async function readTree(root: string): Promise<TreeState> {
  const state = new Map<string, string>();
  for (const entry of await readdir(root, {recursive: true, withFileTypes: true})) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(root, file).split(sep).join('/');
    if (path.split('/')[0] === '.lumenflow') continue;
    if (entry.isFile())
      state.set(
        path,
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
      );
    else state.set(path, entry.isSymbolicLink() ? `link ${await readlink(file)}` : 'folder');
  }
  return state;
}

/** Paths that are new, gone or different. */
export function changedPaths(before: TreeState, after: TreeState): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted();
}
