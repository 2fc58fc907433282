// Detects that workspace.yaml or a file that it includes is no longer the file that was loaded. An unchanged stat is enough to trust the file; a changed one
// costs a hash. Calls that begin in the same turn share one check. A difference is permanent: only a restart loads the file again.
import type {SpecGuard} from '@lumenflow/kernel/adapters';
import {readFileSync, statSync, type Stats} from 'node:fs';
import {sha256Hex} from '../system/sha256.ts';

/** Two changes within one tick of the file system's clock leave the same time: a younger stat proves nothing. */
const tickMs = 50;

/** A file as it was loaded; `hash` is of its bytes. */
export interface SpecFile {
  /** Absolute. */
  readonly path: string;
  readonly hash: string;
}

/** `specHash` is of all files together; each is compared with its own hash from now on. */
export function createSpecGuard(files: readonly SpecFile[], specHash: string): SpecGuard {
  const watched = files.map(watchFile);
  let intact = true;
  let justLooked = false;
  return {
    specHash,
    isIntact() {
      if (!intact || justLooked) return intact;
      justLooked = true;
      queueMicrotask(() => (justLooked = false));
      intact = watched.every((isUnchanged) => isUnchanged());
      return intact;
    },
  };
}

function watchFile({path, hash}: SpecFile): () => boolean {
  let known: Identity | undefined;
  return () => {
    // Taken before the bytes are read, so that no change falls between the two.
    const identity = identityOf(path);
    if (identity !== undefined && isSame(identity, known)) return true;
    known = identity !== undefined && Math.abs(Date.now() - identity.ctimeMs) > tickMs ? identity : undefined;
    return identity !== undefined && hashOf(path) === hash;
  };
}

/** Times as Node gives them, to a quarter of a microsecond: no file system's clock ticks faster. */
type Identity = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

function identityOf(path: string): Identity | undefined {
  try {
    const stats = statSync(path);
    // Reading a pipe would wait for its writer.
    return stats.isFile() ? stats : undefined;
  } catch {
    // A file that cannot be read is not the one that was loaded.
    return undefined;
  }
}

function isSame(one: Identity, other: Identity | undefined): boolean {
  return (
    one.ctimeMs === other?.ctimeMs && one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino
  );
}

function hashOf(path: string): string | undefined {
  try {
    return sha256Hex(readFileSync(path));
  } catch {
    // As above.
    return undefined;
  }
}
