// A bounded walk over a directory tree that follows no symlink and yields to the event loop.
import type {FileKind, HostEntry, HostFiles} from './host-files.ts';
import {UnreadablePath} from './unreadable-path.ts';

export interface Walk {
  readonly files: HostFiles;
  /** Number of entries that may still be inspected, shared by several walks; below zero once the budget was exceeded. */
  entriesLeft: number;
  /** Directories that could not be listed, in the order of the walk. */
  readonly unlisted: UnreadablePath[];
}

export interface WalkedEntry {
  readonly path: string;
  readonly name: string;
  readonly kind: FileKind;
  /** Whether its directory is a git repository, under any name. */
  readonly isInRepository: boolean;
}

const directoriesPerTurn = 256;

/** Calls `visit` for everything below `top`, parents first; it answers whether to go into a directory. */
export async function walkTree(walk: Walk, top: string, visit: (entry: WalkedEntry) => boolean): Promise<void> {
  const waiting = [top];
  for (let seen = 1; ; seen += 1) {
    const directory = waiting.pop();
    if (directory === undefined || walk.entriesLeft < 0) return;
    const entries = entriesOf(walk, directory);
    const isInRepository = isRepository(entries);
    for (const {name, kind} of entries) {
      walk.entriesLeft -= 1;
      const path = `${directory}/${name}`;
      const goIn = visit({path, name, kind, isInRepository});
      if (goIn && kind === 'directory') waiting.push(path);
    }
    if (seen % directoriesPerTurn === 0) await walk.files.pause();
  }
}

/** As git itself decides: gitrepository-layout(5), setup.c. */
function isRepository(entries: readonly HostEntry[]): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => entries.some((entry) => entry.name === name));
}

function entriesOf({files, unlisted}: Walk, directory: string): readonly HostEntry[] {
  try {
    return files.entries(directory);
  } catch (error) {
    if (!(error instanceof UnreadablePath)) throw error;
    unlisted.push(error);
    return [];
  }
}
