// Copies of archived files that were restored. They are a cache: one that was damaged on disk says nothing about the log or the archive.
import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';

const foldersOf = (stateFolder: string): readonly string[] => [
  join(stateFolder, 'events', 'restored'),
  join(stateFolder, 'evidence', 'traces', 'restored'),
  join(stateFolder, 'evidence', 'inputs', 'restored'),
];

/** The name ends with the first 16 digits of the SHA-256. */
const copyName = /-([0-9a-f]{16})$/u;
/** Of a read-only mount, or of another user's folder. */
const notWritable: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Removes all copies, or those that differ from their hash; returns how many. `stateFolder` is `.lumenflow/kernel` or a copy of it. */
export async function removeRestoredCopies(stateFolder: string, which: 'all' | 'damaged'): Promise<number> {
  let removed = 0;
  for (const folder of foldersOf(stateFolder)) {
    for (const name of await namesIn(folder)) {
      const [, hash] = copyName.exec(name) ?? [];
      if (hash === undefined) continue;
      const path = join(folder, name);
      if (which === 'damaged' && (await isSound(path, hash))) continue;
      if (await remove(path)) removed += 1;
    }
  }
  return removed;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** True also of a copy that another process has removed: nothing is left to remove. */
async function isSound(path: string, hash: string): Promise<boolean> {
  try {
    return sha256Hex(await readFile(path)).startsWith(hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

async function remove(path: string): Promise<boolean> {
  try {
    await rm(path, {force: true});
    return true;
  } catch (error) {
    if (notWritable.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}
