// Prunes the cache of built packs. Each process leaves a mark in the builds that it uses. Of the unused builds the oldest are
// removed once there are too many. A build's age is its folder's, which every use updates.
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import {readdir, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** Maximum number of unused builds. */
const idleBuildsMax = 32;
/** The age at which unfinished work of a dead process is removed. */
const leftoverMs = 24 * 60 * 60 * 1_000;
const markPrefix = 'used-by.';

/** Call before reading a build: it is then kept while this process lives. Does nothing if there is no build. */
export async function markInUse(folder: string): Promise<void> {
  // One mark for the process, shared by all its hosts.
  const mark = `${markPrefix}${createProcessRegistry().processId.replace(/[0-9a-f]+$/u, '0')}`;
  try {
    await writeFile(join(folder, mark), '');
    const now = new Date();
    await utimes(folder, now, now);
  } catch {
    // The build does not exist, or the cache is not writable; it can still be read without a mark.
  }
}

/** Removes builds beyond the newest that no live process uses. Rejects when the folder cannot be read or written. */
export async function pruneBuilds(folder: string): Promise<void> {
  const {isAlive} = createProcessRegistry();
  const isUsed = async (build: string): Promise<boolean> =>
    (await readdir(build)).some((name) => name.startsWith(markPrefix) && isAlive(name.slice(markPrefix.length)));
  const all = await entriesOf(folder);
  const stale = all.filter(({name, mtimeMs}) => name.startsWith('.') && Date.now() - mtimeMs > leftoverMs);
  for (const {name} of stale) await rm(join(folder, name), {recursive: true, force: true});
  const builds = all.filter(({name}) => !name.startsWith('.')).toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  for (const {name} of builds.slice(idleBuildsMax)) {
    if (!(await isUsed(join(folder, name)))) await removeUnlessUsed(folder, name, isUsed);
  }
}

/** Rename first, so that no process starts to use a build during its removal. A process that already uses it rebuilds. */
async function removeUnlessUsed(
  folder: string,
  name: string,
  isUsed: (build: string) => Promise<boolean>,
): Promise<void> {
  const aside = join(folder, `.pruned-${randomBytes(6).toString('hex')}`);
  await rename(join(folder, name), aside);
  if (await isUsed(aside)) await rename(aside, join(folder, name));
  else await rm(aside, {recursive: true, force: true});
}

interface Entry {
  readonly name: string;
  readonly mtimeMs: number;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const names = await readdir(folder);
  return await Promise.all(names.map(async (name) => ({name, mtimeMs: (await stat(join(folder, name))).mtimeMs})));
}
