// `trustedAround` for many paths: what was found of a directory is kept, so that paths in the same one, and deep ones, cost no
// more than others.
import {isTrusted} from '@lumenflow/pack-sdk/trusted-paths';

/** Gives the trusted path that a path is, or lies in; undefined when there is none. */
export function createTrustedOver(): (path: string) => string | undefined {
  const directories = new Map<string, string | undefined>([['', undefined]]);
  const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return (path) => {
    const unknown: string[] = [];
    let parent = parentOf(path);
    for (; !directories.has(parent); parent = parentOf(parent)) unknown.push(parent);
    let trusted = directories.get(parent);
    for (const directory of unknown.toReversed()) {
      trusted ??= isTrusted(directory, 'directory') ? directory : undefined;
      directories.set(directory, trusted);
    }
    return trusted ?? (isTrusted(path, 'file') ? path : undefined);
  };
}
