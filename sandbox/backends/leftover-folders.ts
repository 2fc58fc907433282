// Folders that a host makes for itself among the machine's temporary files. Their names say which process made them, so that
// another host can remove those of one that was killed.
import {lstat, mkdtemp, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {isAlive, pidNamespace, thisProcess} from '../process-name.ts';

/** Only letters and hyphens, such as `lumenflow-call`. */
export async function makeOwnedFolder(parent: string, kind: string): Promise<string> {
  return await mkdtemp(join(parent, `${kind}-${thisProcess()}-`));
}

/**
 * Removes folders of this user whose process has ended, each after `release`. Never rejects: a later call retries what cannot be
 * removed now.
 */
export async function reapOwnedFolders(
  parent: string,
  kind: string,
  release?: (folder: string) => Promise<void>,
): Promise<void> {
  const owned = new RegExp(`^${kind}-${pidNamespace()}-(\\d+)-`);
  const names = await readdir(parent).catch((): string[] => []);
  await Promise.all(
    names.map(async (name) => {
      const owner = owned.exec(name)?.[1];
      if (owner !== undefined && !isAlive(Number(owner))) await removeOwn(join(parent, name), release);
    }),
  );
}

async function removeOwn(path: string, release?: (folder: string) => Promise<void>): Promise<void> {
  try {
    const entry = await lstat(path);
    const isOurs = entry.isDirectory() && entry.uid === process.geteuid?.();
    if (!isOurs) return;
    await release?.(path);
    await rm(path, {recursive: true, force: true});
  } catch {
    // Another host removed it first, or it contains a file of another user.
  }
}
