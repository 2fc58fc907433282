// Walks into directories one name at a time and follows no symlink. Each step starts from a directory that is kept open, so
// nothing planted or swapped on the way leads elsewhere.
import {constants} from 'node:fs';
import {lstat, mkdir, open, readlink, realpath, type FileHandle} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isName, InvalidFileName} from './invalid-file-name.ts';
import {SymlinkMet} from './symlink-met.ts';

export interface OpenDirectory {
  readonly handle: FileHandle;
  /** Absolute, as it was walked. */
  readonly path: string;
}

export interface WalkOptions {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** Where the root is opened, if it is a view from another mount namespace. */
  readonly door?: string;
  readonly segments: readonly string[];
  /** Whether to create missing directories. */
  readonly make: boolean;
}

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A door is a descriptor of ours, which the kernel shows as a symlink. */
const doorFlags = constants.O_RDONLY | constants.O_DIRECTORY;

/** Runs `work` in the directory at the end of the segments, and closes it. */
export async function inDirectory<T>(
  {root, door = root, segments, make}: WalkOptions,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  let directory = await openRoot(root, door);
  try {
    for (const [index, name] of segments.entries()) {
      const next = await openChild(directory, name, {make, relative: segments.slice(0, index + 1).join('/')});
      await directory.handle.close();
      directory = next;
    }
    return await work(directory);
  } finally {
    await directory.handle.close();
  }
}

async function openRoot(root: string, door: string): Promise<OpenDirectory> {
  if (door === root) return {handle: await open(root, directoryFlags), path: root};
  const handle = await open(door, doorFlags);
  // What is below a door is called by the place that the kernel knows it by.
  return {handle, path: await readlink(`/proc/self/fd/${handle.fd}`)};
}

/**
 * A name in an open directory. On Linux it goes through the descriptor, so it stays in this directory even if that is renamed.
 * Elsewhere it is a path, checked after opening.
 */
export function childPath(directory: OpenDirectory, name: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${directory.handle.fd}/${name}` : join(directory.path, name);
}

/** Names of the directories that a relative path lies in. */
export function parentSegments(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : parent.split('/');
}

/** Throws SymlinkMet if the opened entry is not at `path`. */
export async function verifyPlace(handle: FileHandle, path: string, relative: string): Promise<void> {
  const place = process.platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path);
  // A file that was replaced after it was opened is still the requested one.
  if (place !== path && place !== `${path} (deleted)`) throw new SymlinkMet(relative);
}

async function openChild(
  parent: OpenDirectory,
  name: string,
  {make, relative}: {readonly make: boolean; readonly relative: string},
): Promise<OpenDirectory> {
  if (!isName(name)) throw new InvalidFileName(name);
  const path = childPath(parent, name);
  if (make) await mkdir(path).catch(unlessExists);
  const handle = await open(path, directoryFlags).catch(async (error: NodeJS.ErrnoException) => {
    const isLink = (await lstat(path)).isSymbolicLink();
    throw isLink ? new SymlinkMet(relative) : error;
  });
  const child = {handle, path: join(parent.path, name)};
  try {
    await verifyPlace(handle, child.path, relative);
    return child;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
