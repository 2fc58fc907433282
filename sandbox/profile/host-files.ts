// The few reads of the host's files that compiling and checking a profile needs. None follows a symlink except `realPath`.
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import {dirname} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {pathBytes, textOfBytes} from './path-bytes.ts';
import {UnreadablePath} from './unreadable-path.ts';

export type FileKind = 'file' | 'directory' | 'symlink' | 'socket' | 'other';

export interface HostEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** Names that are not UTF-8 are encoded as in `path-bytes.ts`. */
export interface HostFiles {
  /** Undefined if it does not exist, or this user could never reach it. Throws UnreadablePath. */
  kindOf(path: string): FileKind | undefined;
  /** Sorted by name; empty if it is not a directory, or this user can never reach it. Throws UnreadablePath. */
  entries(directory: string): readonly HostEntry[];
  /** With every symlink resolved; undefined if the target does not exist. */
  realPath(path: string): string | undefined;
  /** The text of a symlink; undefined for anything else. */
  linkText(path: string): string | undefined;
  /** The text of a file of limited size; undefined for anything else. */
  textOf(path: string): string | undefined;
  /** Yields to the event loop: a walk over a large tree takes long. */
  pause(): Promise<void>;
}

const textBytesMax = 1024 * 1024;

export function createHostFiles(): HostFiles {
  return {
    kindOf: (path) => {
      // Most requested files do not exist, and an error costs several times as much as the check.
      const stats = reachable(path, () => lstatSync(pathBytes(path), {throwIfNoEntry: false}));
      return stats && kindOf(stats);
    },
    entries: (directory) =>
      (reachable(directory, () => list(directory)) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    realPath: (path) => orUndefined(() => textOfBytes(realpathSync.native(pathBytes(path), 'buffer'))),
    linkText: (path) => orUndefined(() => textOfBytes(readlinkSync(pathBytes(path), 'buffer'))),
    textOf: (path) => orUndefined(() => textOf(path)),
    pause: () => turn(),
  };
}

/** Undefined for anything but a regular file: a pipe would never end. */
function textOf(path: string): string | undefined {
  const {size} = lstatSync(pathBytes(path));
  const fd = openSync(pathBytes(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return fstatSync(fd).isFile() && size <= textBytesMax ? readFileSync(fd, 'utf8') : undefined;
  } finally {
    closeSync(fd);
  }
}

function list(directory: string): readonly HostEntry[] {
  const path = pathBytes(directory);
  const entries = readdirSync(path, {withFileTypes: true}).map((entry) => ({name: entry.name, kind: kindOf(entry)}));
  // Text that did not decode is read again as bytes.
  if (!entries.some(({name}) => name.includes('\u{FFFD}'))) return entries;
  return readdirSync(path, {withFileTypes: true, encoding: 'buffer'}).map((entry) => ({
    name: textOfBytes(entry.name),
    kind: kindOf(entry),
  }));
}

function kindOf(entry: Stats | Dirent | Dirent<Buffer>): FileKind {
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSocket()) return 'socket';
  return entry.isFile() ? 'file' : 'other';
}

function reachable<T>(path: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const {code = 'unknown'} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' && isOutOfReach(path)) return undefined;
    throw new UnreadablePath(path, code);
  }
}

/** Behind another user's directory that this user can neither enter nor unlock. */
function isOutOfReach(path: string): boolean {
  for (let directory = path; directory !== dirname(directory); directory = dirname(directory)) {
    const stats = orUndefined(() => lstatSync(pathBytes(directory)));
    if (stats === undefined) continue;
    return stats.isDirectory() && stats.uid !== process.geteuid?.() && !mayEnter(directory);
  }
  return false;
}

function mayEnter(directory: string): boolean {
  try {
    accessSync(pathBytes(directory), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // A link to an unreachable path has no target.
    return undefined;
  }
}
