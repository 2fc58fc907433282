// What lies at paths of a tree, without following a symlink on the way. Behind a symlink lies another path's entry, or, where
// it leads to itself, an error: neither says anything of the path that was asked for.
import {dirname, join} from 'node:path';
import {lookAtOnce, type Entry} from './entry.ts';

export type LookWithin = (path: string) => Entry | undefined;

/** For one pass over many paths: it inspects each directory on the way once. */
export function lookWithin(root: string): LookWithin {
  const directories = new Map<string, boolean>([['.', true]]);
  const isDirectory = (path: string): boolean => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const is = isDirectory(dirname(path)) && lookAtOnce(join(root, path))?.kind === 'directory';
    directories.set(path, is);
    return is;
  };
  return (path) => (isDirectory(dirname(path)) ? lookAtOnce(join(root, path)) : undefined);
}
