// The walk of `open-directory.ts` in one go, for work that must not be interrupted between a look and a change.
import {closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {isName, InvalidFileName} from './invalid-file-name.ts';
import {SymlinkMet} from './symlink-met.ts';

export interface OpenedDirectory {
  readonly fd: number;
  /** A name in it; on Linux it stays in this directory even if that is renamed. */
  child(name: string): string;
  close(): void;
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const isLinux = process.platform === 'linux';

/** `root`: absolute, without symlinks. Throws SymlinkMet if the path contains a symlink or leads elsewhere. */
export function openDirectoryOnce(root: string, segments: readonly string[]): OpenedDirectory {
  const path = join(root, ...segments);
  let fd = openSync(root, flags);
  try {
    for (const [index, name] of segments.entries()) {
      if (!isName(name)) throw new InvalidFileName(name);
      const place = isLinux ? `/proc/self/fd/${fd}/${name}` : join(root, ...segments.slice(0, index + 1));
      const next = openNext(place, segments.slice(0, index + 1).join('/'));
      closeSync(fd);
      fd = next;
    }
    if ((isLinux ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path)) !== path) {
      throw new SymlinkMet(segments.join('/'));
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return {
    fd,
    child: (name) => (isLinux ? `/proc/self/fd/${fd}/${name}` : join(path, name)),
    close: () => closeSync(fd),
  };
}

function openNext(place: string, relative: string): number {
  try {
    return openSync(place, flags);
  } catch (error) {
    if (lstatSync(place).isSymbolicLink()) throw new SymlinkMet(relative);
    throw error;
  }
}
