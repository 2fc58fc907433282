// Creates a file that is whole from the moment it is seen, and never written again.
import {randomBytes} from 'node:crypto';
import {link, open, unlink} from 'node:fs/promises';
import {dirname} from 'node:path';

/** Whether it was created; false when there is one of this name. It is on disk then, name and content. */
export async function createFile(path: string, content: string | Uint8Array): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await file.close();
    await unlink(temporary);
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return true;
}
