// A bounded walk over a directory tree that follows no symlink and lets the event loop turn.
import type {FileKind, HostFiles} from './host-files.ts';

export interface Walk {
  readonly files: HostFiles;
  /** Entries that may still be looked at, over all walks that share it; below zero once it was too few. */
  entriesLeft: number;
}

export interface WalkedEntry {
  readonly path: string;
  readonly name: string;
  readonly kind: FileKind;
}

const directoriesPerTurn = 256;

/** Calls `visit` for everything below `top`, parents first; it answers whether to go into a directory. */
export async function walkTree(walk: Walk, top: string, visit: (entry: WalkedEntry) => boolean): Promise<void> {
  const waiting = [top];
  for (let seen = 1; ; seen += 1) {
    const directory = waiting.pop();
    if (directory === undefined || walk.entriesLeft < 0) return;
    for (const {name, kind} of walk.files.entries(directory)) {
      walk.entriesLeft -= 1;
      const path = `${directory}/${name}`;
      const goIn = visit({path, name, kind});
      if (goIn && kind === 'directory') waiting.push(path);
    }
    if (seen % directoriesPerTurn === 0) await walk.files.pause();
  }
}
