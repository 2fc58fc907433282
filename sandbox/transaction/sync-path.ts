import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';

/** Of a file or directory that this very application has moved or locked, its directory is synced. */
const notOpened: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES']);

export async function syncPath(path: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (notOpened.has((error as NodeJS.ErrnoException).code)) return;
    throw error;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
