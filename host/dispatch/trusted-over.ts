// `trustedAround` for many paths. Results for a directory are cached, so siblings and deep paths cost no extra look-ups.
import {isTrusted} from '@lumenflow/pack-sdk/trusted-paths';

/** Returns the trusted path that equals or contains a path; undefined when there is none. */
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
