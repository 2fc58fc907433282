// Keeps the cache of built packs small. Each process leaves its name in the builds it uses; of the others the oldest go
// once there are too many. A build's age is that of its folder, which every use makes young.
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import {readdir, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** Builds that may be kept though nobody uses them now. */
const idleBuildsMax = 32;
/** What a process that died left half done, by its age. */
const leftoverMs = 24 * 60 * 60 * 1_000;
const markPrefix = 'used-by.';

/** Before a build is read: from then on it stays as long as this process lives. Where there is none, nothing happens. */
export async function markInUse(folder: string): Promise<void> {
  // One name for the process, whichever of its hosts asks.
  const mark = `${markPrefix}${createProcessRegistry().processId.replace(/[0-9a-f]+$/u, '0')}`;
  try {
    await writeFile(join(folder, mark), '');
    const now = new Date();
    await utimes(folder, now, now);
  } catch {
    // It is not there, or in a cache that only others can write: what cannot be marked can be read all the same.
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

/** Out of reach first, so that nobody begins to use what is being removed; whoever just had goes on to find it. */
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
