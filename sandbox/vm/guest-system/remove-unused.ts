// Removes systems of guests that no host has used for a month: each update of Node or of a package makes another one.
import {readdir, rm, stat, utimes} from 'node:fs/promises';
import {join} from 'node:path';

const unusedMs = 30 * 24 * 60 * 60 * 1000;

/** `used`: paths in the folder that count as used now. */
export async function removeUnused(folder: string, used: readonly string[]): Promise<void> {
  const now = new Date();
  for (const path of used) await utimes(path, now, now).catch(() => undefined);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const entry = await stat(path).catch(() => undefined);
    const isUnused = entry !== undefined && now.getTime() - entry.mtimeMs > unusedMs;
    if (isUnused) await rm(path, {recursive: true, force: true});
  }
}
