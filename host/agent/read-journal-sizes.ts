// The sizes of all session and workflow journals as one text. Journals only grow, so the text changes after every write by any
// process. It is polled, because the folder may not exist yet and a check is cheap.
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';

const folders = ['sessions', 'workflows'];

/** The journals in these folders below `root`. Rejects when they cannot be read. */
export async function readJournalSizes(root: string): Promise<string> {
  const sizes = await Promise.all(
    folders.map(async (folder) => {
      const names = (await orAbsent(readdir(join(root, folder)))) ?? [];
      return await Promise.all(
        names.map(async (name) => `${folder}/${name} ${await sizeOf(join(root, folder, name))}`),
      );
    }),
  );
  return sizes.flat().join('\n');
}

async function sizeOf(path: string): Promise<number> {
  return (await orAbsent(stat(path)))?.size ?? 0;
}

async function orAbsent<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
