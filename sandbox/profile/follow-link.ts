// Follows a symlink hop by hop. Each link on the way can be replaced like the first, and the final target is read or run under
// its name.
import {dirname, join} from 'node:path';
import type {HostFiles} from './host-files.ts';

export interface FollowedLink {
  /** The symlinks on the way, including the first: absolute, without symlinks above them. */
  readonly links: readonly string[];
  /** Absolute; it may not exist. */
  readonly target: string;
}

/** As many as Linux follows. */
const hopsMax = 40;

/** Undefined for circular links, or if a directory on the way is missing. */
export function followLink(path: string, files: HostFiles): FollowedLink | undefined {
  const links: string[] = [];
  let at = path;
  while (files.kindOf(at) === 'symlink') {
    links.push(at);
    const next = join(dirname(at), files.linkText(at) ?? '');
    const absolute = files.linkText(at)?.startsWith('/') === true ? join(files.linkText(at) ?? '') : next;
    // Directories on the way may also be symlinks.
    const directory = files.realPath(dirname(absolute));
    if (directory === undefined || links.length > hopsMax) return undefined;
    at = join(directory, absolute.slice(absolute.lastIndexOf('/') + 1));
  }
  return {links, target: at};
}
