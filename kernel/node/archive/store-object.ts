// Stores an object of an archive in a folder, also where a file system has no hard links or cannot sync folders, such as FAT and some
// mounted servers. Keys contain the hash of their object, so replacing one with itself changes nothing.
import {randomBytes} from 'node:crypto';
import {access, link, mkdir, open, rename, unlink} from 'node:fs/promises';
import {dirname} from 'node:path';

/** What file systems differ in. */
export interface FolderOperations {
  link(from: string, to: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
}

export const folderOperations: FolderOperations = {
  link,
  async syncFolder(folder) {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);
const noFolderSync: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR']);

/** On disk when it resolves. Does nothing if there is an object with this path. Rejects with the system's error. */
export async function storeObject(path: string, bytes: Uint8Array, operations: FolderOperations): Promise<void> {
  if (await exists(path)) return;
  await createFolders(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
    await name(temporary, path, operations);
  } finally {
    await file.close();
    await unlink(temporary).catch(ignore(new Set(['ENOENT'])));
  }
  await operations.syncFolder(dirname(path)).catch(ignore(noFolderSync));
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function name(temporary: string, path: string, {link: linkTo}: FolderOperations): Promise<void> {
  try {
    await linkTo(temporary, path);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (!noLinks.has(code)) throw error;
    await rename(temporary, path);
  }
}

/** `mkdir` of Node does not end where a folder reports every new name as missing, as `/proc` does. */
async function createFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, {mode: 0o700});
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    // A file is reported when something is stored below it.
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await createFolders(dirname(folder));
    await mkdir(folder, {mode: 0o700}).catch(ignore(new Set(['EEXIST'])));
  }
}

function ignore(codes: ReadonlySet<string | undefined>): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.has(error.code)) throw error;
  };
}
