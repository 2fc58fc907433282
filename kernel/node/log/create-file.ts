// Creates a file that is whole from the moment it is seen, and never written again.
import {randomBytes} from 'node:crypto';
import {closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {syncFolder} from './segment-files.ts';

/** Whether it was created; false when there is one of this name. It is on disk then, name and content. */
export function createFile(path: string, content: string | Uint8Array): boolean {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
    linkSync(temporary, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    closeSync(fd);
    unlinkSync(temporary);
  }
}
