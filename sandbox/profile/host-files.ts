// The few looks at the host's files that compiling and checking a profile needs. None follows a symlink but `realPath`.
import {lstatSync, readdirSync, readlinkSync, realpathSync, type Dirent, type Stats} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';

export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

export interface HostEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export interface HostFiles {
  /** Undefined when there is nothing, or nothing that this user can reach. */
  kindOf(path: string): FileKind | undefined;
  /** Sorted by name; empty for what is not a readable directory. */
  entries(directory: string): readonly HostEntry[];
  /** With every symlink followed; undefined when it leads to nothing. */
  realPath(path: string): string | undefined;
  /** The text of a symlink; undefined for anything else. */
  linkText(path: string): string | undefined;
  /** Lets the event loop turn: a walk over a large tree is long. */
  pause(): Promise<void>;
}

export function createHostFiles(): HostFiles {
  return {
    kindOf: (path) => orUndefined(() => kindOf(lstatSync(path))),
    entries: (directory) =>
      (orUndefined(() => readdirSync(directory, {withFileTypes: true})) ?? [])
        .map((entry) => ({name: entry.name, kind: kindOf(entry)}))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    realPath: (path) => orUndefined(() => realpathSync.native(path)),
    linkText: (path) => orUndefined(() => readlinkSync(path)),
    pause: () => turn(),
  };
}

function kindOf(entry: Stats | Dirent): FileKind {
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return 'directory';
  return entry.isFile() ? 'file' : 'other';
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // Whatever cannot be looked at is not there for a sandbox that runs as the same user.
    return undefined;
  }
}
