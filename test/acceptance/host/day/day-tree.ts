// Everything that a day's steps can change: kind, permissions and content, by path.
import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

export type DayTree = ReadonlyMap<string, string>;

/** Directories of the workspace in which the day happens. */
export const dayDirectories = ['a', 'b', 'p'];

export function treeOf(root: string): DayTree {
  const tree = new Map<string, string>();
  const look = (path: string): void => {
    const stat = lstatSync(join(root, path), {throwIfNoEntry: false});
    if (stat === undefined) return;
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree.set(path, `-> ${readlinkSync(join(root, path))}`);
    else if (stat.isDirectory()) tree.set(path, `${mode} /`);
    else tree.set(path, `${mode} ${readFileSync(join(root, path), 'utf8')}`);
    if (stat.isDirectory()) for (const name of readdirSync(join(root, path))) look(join(path, name));
  };
  for (const directory of dayDirectories) look(directory);
  return tree;
}

/** Paths that differ. */
export function changed(before: DayTree, after: DayTree): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}

/** What a call did, as it may be done to another tree: by path, undefined where nothing is left. */
export type Delta = ReadonlyMap<string, string | undefined>;

export function delta(before: DayTree, after: DayTree): Delta {
  return new Map(changed(before, after).map((path) => [path, after.get(path)]));
}

export function withDelta(tree: DayTree, changes: Delta): DayTree {
  const result = new Map(tree);
  for (const [path, state] of changes) {
    if (state === undefined) result.delete(path);
    else result.set(path, state);
  }
  return result;
}

/** Whether all paths of the delta are as it has them. */
export function isAs(tree: DayTree, side: Delta): boolean {
  return [...side].every(([path, state]) => tree.get(path) === state);
}

/** Whether they are the same path, or one lies in the other. */
export function areRelated(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Paths of a delta as another tree has them. */
export function sideOf(tree: DayTree, paths: Delta): Delta {
  return new Map([...paths.keys()].map((path) => [path, tree.get(path)]));
}

/** Whether the workspace parks changes of these paths. */
export function asksPerson(paths: readonly string[]): boolean {
  return paths.some((path) => path === 'p' || path.startsWith('p/'));
}
