// Notices that workspace.yaml is no longer the file that was loaded. An unchanged stat is enough to trust it;
// a changed one costs a hash. Once it was different, it stays so: only a restart loads it anew.
import type {SpecGuard} from '@lumenflow/kernel';
import {readFileSync, statSync} from 'node:fs';
import {sha256Hex} from '../system/sha256.ts';

/** `specHash` is of the bytes that were loaded; the file is compared with them from now on. */
export function createSpecGuard(path: string, specHash: string): SpecGuard {
  let intact = true;
  // Taken before the first comparison of the bytes, so that no change falls between the two.
  let known: string | undefined;
  return {
    specHash,
    isIntact() {
      if (!intact) return false;
      const current = identityOf(path);
      if (current !== undefined && current === known) return true;
      intact = current !== undefined && hashOf(path) === specHash;
      known = current;
      return intact;
    },
  };
}

function identityOf(path: string): string | undefined {
  try {
    const {ino, size, mtimeNs, ctimeNs} = statSync(path, {bigint: true});
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
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
