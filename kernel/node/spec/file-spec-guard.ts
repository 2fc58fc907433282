// Notices that workspace.yaml is no longer the file that was loaded. An unchanged stat is enough to trust it;
// a changed one costs a hash. Once it was different, it stays so: only a restart loads it anew.
import type {SpecGuard} from '@lumenflow/kernel';
import {readFileSync, statSync} from 'node:fs';
import {sha256Hex} from '../system/sha256.ts';

/** Two changes within one tick of the file system's clock leave the same time: a younger stat proves nothing. */
const tickMs = 50;

/** `specHash` is of the bytes that were loaded; the file is compared with them from now on. */
export function createSpecGuard(path: string, specHash: string): SpecGuard {
  let intact = true;
  let known: string | undefined;
  return {
    specHash,
    isIntact() {
      if (!intact) return false;
      // Taken before the bytes are read, so that no change falls between the two.
      const identity = identityOf(path);
      if (identity?.text !== undefined && identity.text === known) return true;
      intact = identity !== undefined && hashOf(path) === specHash;
      known = identity !== undefined && Math.abs(Date.now() - identity.changedMs) > tickMs ? identity.text : undefined;
      return intact;
    },
  };
}

function identityOf(path: string): {readonly text: string; readonly changedMs: number} | undefined {
  try {
    const {ino, size, mtimeNs, ctimeNs, ctimeMs} = statSync(path, {bigint: true});
    return {text: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedMs: Number(ctimeMs)};
  } catch {
    // Whatever hides the file, it is not the one that was loaded.
    return undefined;
  }
}

function hashOf(path: string): string | undefined {
  try {
    return sha256Hex(readFileSync(path));
  } catch {
    // As above.
    return undefined;
  }
}
