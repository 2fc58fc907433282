// Reads a regular file of an open directory. Other kinds are closed immediately: a FIFO would block, and opening a device can
// have effects.
import {constants} from 'node:fs';
import {lstat, open, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {ToolError} from '@lumenflow/pack-sdk';
import {childPath, SymlinkMet, verifyPlace, type OpenDirectory} from '@lumenflow/sandbox';
import {notAFile} from './fs-error.ts';

/** Maximum size of a file in bytes: what fits into one wire frame as base64. */
export const fileBytesMax: number = 47 * 1024 * 1024;

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface FileToRead {
  readonly name: string;
  readonly relative: string;
  /** Receives the size before anything is read. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined;
}

export async function readFileIn(directory: OpenDirectory, file: FileToRead): Promise<Uint8Array> {
  const {name, relative, admit} = file;
  const path = childPath(directory, name);
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) throw new SymlinkMet(relative);
  if (!entry.isFile()) throw notAFile(relative);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? new SymlinkMet(relative) : error;
  });
  try {
    await verifyPlace(handle, join(directory.path, name), relative);
    const stat = await handle.stat();
    if (!stat.isFile()) throw notAFile(relative);
    if (stat.size > fileBytesMax) throw tooLarge(relative, stat.size);
    await admit?.(stat.size);
    return await readBytes(handle, stat.size);
  } finally {
    await handle.close();
  }
}

/** Reads at most the original size: bytes appended during the read do not fit. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const {bytesRead} = await handle.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

function tooLarge(path: string, bytes: number): ToolError {
  return new ToolError('LIMIT_EXCEEDED', `\`${path}\` has ${bytes} bytes; at most ${fileBytesMax} can be read`, {path});
}
