// The host's files for the inspection after a call: a directory that the call has locked is unlocked and inspected.
import type {HostFiles} from '../profile/host-files.ts';
import {UnreadablePath} from '../profile/unreadable-path.ts';
import {reopenDirectories} from './open-by-force.ts';

export interface ForcingFiles {
  readonly files: HostFiles;
  /** Absolute paths that had to be unlocked, and stay unlocked. */
  reopened(): readonly string[];
}

export function forcingFiles(files: HostFiles, root: string): ForcingFiles {
  const reopened: string[] = [];

  function forced<T>(path: string, look: (path: string) => T): T {
    try {
      return look(path);
    } catch (error) {
      if (!(error instanceof UnreadablePath) || !reopenDirectories(root, path)) throw error;
      reopened.push(path);
      return look(path);
    }
  }

  return {
    files: {
      ...files,
      kindOf: (path) => forced(path, files.kindOf),
      entries: (directory) => forced(directory, files.entries),
    },
    reopened: () => reopened,
  };
}
