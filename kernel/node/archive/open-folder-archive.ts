// An archive in a folder, such as one on another disk or on a file server.
import {KernelError} from '@lumenflow/kernel';
import {readdir, readFile, rm} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import type {ArchiveStore} from './archive-store.ts';
import {folderOperations, storeObject, type FolderOperations} from './store-object.ts';

const temporary = /\.[0-9a-f]{12}\.new$/u;

/** `folder`: absolute. It is created with the first object. */
export function openFolderArchive(folder: string, operations: FolderOperations = folderOperations): ArchiveStore {
  const location = `file:${folder}`;
  const pathOf = (key: string): string => {
    if (/^[a-z0-9-]+(?:[./][a-z0-9-]+)*$/u.test(key)) return join(folder, key);
    throw new KernelError('BROKEN_INVARIANT', `\`${key}\` is not a key of an archive`);
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof Error) || !('syscall' in cause)) throw cause;
      throw new KernelError('LOG_UNAVAILABLE', `the archive ${location} cannot be used: ${cause.message}`, {cause});
    }
  };
  return {
    location,
    put: (key, bytes) => run(() => storeObject(pathOf(key), bytes, operations)),
    get: (key) => run(() => readFile(pathOf(key)).catch(undefinedIfMissing)),
    list: (prefix) =>
      run(async () => {
        const entries = await readdir(folder, {recursive: true, withFileTypes: true}).catch(undefinedIfMissing);
        const files = (entries ?? []).filter((entry) => entry.isFile() && !temporary.test(entry.name));
        const keys = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
        return keys.filter((key) => key.startsWith(prefix)).toSorted((a, b) => (a < b ? -1 : 1));
      }),
    delete: (key) => run(() => rm(pathOf(key), {force: true})),
  };
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
