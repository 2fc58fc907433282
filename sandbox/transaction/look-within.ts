// Inspects paths of a tree without following a symlink on the way. A path behind a symlink belongs to another entry, or is an
// error if the links are circular: neither describes the requested path.
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
