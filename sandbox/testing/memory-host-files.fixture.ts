// Files that are only said to be there, so that a profile can be compiled for a machine that is not this one.
import {dirname, posix} from 'node:path';
import type {FileKind, HostFiles} from '../profile/host-files.ts';

/** Absolute paths: files, `directories/`, `link -> target`. */
export function memoryHostFiles(tree: readonly string[]): HostFiles {
  const links = new Map<string, string>();
  const kinds = new Map<string, FileKind>([['/', 'directory']]);
  for (const line of tree) {
    const [path = '', target] = line.split(' -> ');
    const plain = path.replace(/\/$/, '');
    kinds.set(plain, target !== undefined ? 'symlink' : path.endsWith('/') ? 'directory' : 'file');
    if (target !== undefined) links.set(plain, target);
    for (let above = dirname(plain); above !== '/'; above = dirname(above)) kinds.set(above, 'directory');
  }

  function realPath(path: string, depth = 0): string | undefined {
    if (path === '/') return '/';
    const parent = realPath(dirname(path), depth);
    if (parent === undefined || depth > 40) return undefined;
    const here = posix.join(parent, posix.basename(path));
    const target = links.get(here);
    if (target !== undefined) return realPath(posix.resolve(parent, target), depth + 1);
    return kinds.has(here) ? here : undefined;
  }

  return {
    kindOf: (path) => kinds.get(path),
    entries: (directory) =>
      [...kinds]
        .filter(([path]) => path !== '/' && dirname(path) === directory)
        .map(([path, kind]) => ({name: posix.basename(path), kind}))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    realPath: (path) => realPath(path),
    linkText: (path) => links.get(path),
    textOf: () => undefined,
    pause: async () => undefined,
  };
}
