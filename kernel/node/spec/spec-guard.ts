// Detects that workspace.yaml is no longer the file that was loaded. An unchanged stat is enough to trust the file; a changed one
// costs a hash. Calls that begin in the same turn share one check. A difference is permanent: only a restart loads the file again.
import type {SpecGuard} from '@lumenflow/kernel/adapters';
import {readFileSync, statSync, type Stats} from 'node:fs';
import {sha256Hex} from '../system/sha256.ts';

/** Two changes within one tick of the file system's clock leave the same time: a younger stat proves nothing. */
const tickMs = 50;

/** `specHash` is of the bytes that were loaded; the file is compared with them from now on. */
export function createSpecGuard(path: string, specHash: string): SpecGuard {
  let intact = true;
  let known: Identity | undefined;
  let justLooked = false;
  return {
    specHash,
    isIntact() {
      if (!intact || justLooked) return intact;
      justLooked = true;
      queueMicrotask(() => (justLooked = false));
      // Taken before the bytes are read, so that no change falls between the two.
      const identity = identityOf(path);
      if (identity !== undefined && isSame(identity, known)) return true;
      intact = identity !== undefined && hashOf(path) === specHash;
      known = identity !== undefined && Math.abs(Date.now() - identity.ctimeMs) > tickMs ? identity : undefined;
      return intact;
    },
  };
}

/** Times as Node gives them, to a quarter of a microsecond: no file system's clock ticks faster. */
type Identity = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

function identityOf(path: string): Identity | undefined {
  try {
    return statSync(path);
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
