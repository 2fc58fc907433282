// Opens directories name by name, following no symlink, where their modes forbid it too: what a call has locked its user can
// unlock. Only the owner can do that, and what a call made is its user's own.
import {chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync} from 'node:fs';
import {pathBytes} from '../profile/path-bytes.ts';
import {isWithin} from '../profile/host-paths.ts';
import {pathOnly} from '../files/open-path.ts';
import {errorCode} from '../error-code.ts';

/** An open directory. On Linux, a name in it stays in it even if it is renamed. */
export interface ForcedDirectory {
  /** The path of a name in it, for system calls. */
  at(name: string): string | Buffer;
}

interface Opened {
  readonly fd: number;
  /** Undefined if its mode was not changed. */
  readonly mode: number | undefined;
}

const isLinux = process.platform === 'linux';
const ownerAll = 0o700;

/** Modes are restored afterwards. Throws the system's error, ENOTDIR or ELOOP for a symlink on the way. */
export function inForcedDirectory<T>(root: string, names: readonly string[], work: (to: ForcedDirectory) => T): T {
  const opened: Opened[] = [];
  try {
    let place = open(root, opened);
    for (const name of names) place = open(`${place}/${name}`, opened);
    return work({at: (name) => pathBytes(`${place}/${name}`)});
  } finally {
    close(opened, true);
  }
}

/** Returns a directory and those above it to their owner permanently. The result is whether any was locked. */
export function reopenDirectories(root: string, path: string): boolean {
  if (!isWithin(path, root)) return false;
  const opened: Opened[] = [];
  try {
    let place = open(root, opened);
    for (const name of path === root ? [] : path.slice(root.length + 1).split('/'))
      place = open(`${place}/${name}`, opened);
  } catch (error) {
    // Not a directory, or owned by another user: unlocking those above it may be enough.
    if (errorCode(error) === undefined) throw error;
  } finally {
    close(opened, false);
  }
  return opened.some(({mode}) => mode !== undefined);
}

function open(path: string, opened: Opened[]): string {
  const fd = openSync(pathBytes(path), (isLinux ? pathOnly : 0) | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  opened.push({fd, mode: undefined});
  opened[opened.length - 1] = {fd, mode: unlock(fd)};
  return isLinux ? `/proc/self/fd/${fd}` : path;
}

function close(opened: readonly Opened[], restores: boolean): void {
  for (const {fd, mode} of opened.toReversed()) {
    if (restores && mode !== undefined) changeMode(fd, mode);
    closeSync(fd);
  }
}

/** Its previous mode; undefined if no change was needed, or another user owns it. */
function unlock(fd: number): number | undefined {
  const {mode, uid} = fstatSync(fd);
  if ((mode & ownerAll) === ownerAll || uid !== process.geteuid?.()) return undefined;
  changeMode(fd, (mode & 0o7777) | ownerAll);
  return mode & 0o7777;
}

/** Descriptors of this kind are changed by the name that the kernel has for them. */
function changeMode(fd: number, mode: number): void {
  if (isLinux) chmodSync(`/proc/self/fd/${fd}`, mode);
  else fchmodSync(fd, mode);
}
