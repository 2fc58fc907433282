// One document or log of a pack in its open directory: replaced as a whole, or appended by lines. Reported changes are on disk.
import {constants} from 'node:fs';
import {open, rename, type FileHandle} from 'node:fs/promises';
import {ToolError, type StateVersion} from '@lumenflow/pack-sdk';
import {childPath, type OpenDirectory} from '@lumenflow/sandbox';
import {endOfLines, sizeOf, versionOf} from './state-version.ts';

const {O_RDONLY, O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK} = constants;
/** Changes run one at a time, so one temporary name is enough. */
const draft = '.draft';

export async function readStateFile<T>(
  directory: OpenDirectory,
  file: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  return await withHandle(directory, file, O_RDONLY, work);
}

export async function replaceStateFile(
  directory: OpenDirectory,
  file: string,
  bytes: Uint8Array,
): Promise<StateVersion> {
  const version = await withHandle(directory, draft, O_RDWR | O_CREAT | O_TRUNC, async (handle) => {
    await handle.writeFile(bytes);
    await handle.sync();
    return await versionOf(handle, bytes.length);
  });
  await rename(childPath(directory, draft), childPath(directory, file));
  await directory.handle.sync();
  return version;
}

/** Truncates what a crash left behind the last complete line. If the write fails, it removes its own partial data. */
export async function appendToStateFile(
  directory: OpenDirectory,
  file: string,
  bytes: Uint8Array,
): Promise<StateVersion> {
  return await withHandle(directory, file, O_RDWR | O_CREAT, async (handle) => {
    const end = await endOfLines(handle);
    if ((await sizeOf(handle)) > end) await handle.truncate(end);
    try {
      await writeAll(handle, bytes, end);
      await handle.sync();
    } catch (error) {
      await handle.truncate(end);
      throw error;
    }
    if (end === 0) await directory.handle.sync();
    return await versionOf(handle, end + bytes.length);
  });
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
  }
}

async function withHandle<T>(
  directory: OpenDirectory,
  file: string,
  flags: number,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await open(childPath(directory, file), flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!(await handle.stat()).isFile())
      throw new ToolError('NOT_A_FILE', `the state \`${file}\` is not a regular file`);
    return await work(handle);
  } finally {
    await handle.close();
  }
}
