// Writes a file into an open directory, atomically: it is written beside the target under an unpredictable name, then renamed.
// Hard links to the old file keep their content.
import {randomUUID} from 'node:crypto';
import {constants} from 'node:fs';
import {link, lstat, open, rename, unlink} from 'node:fs/promises';
import {ToolError} from '@lumenflow/pack-sdk';
import {childPath, SymlinkMet, type OpenDirectory} from '@lumenflow/sandbox';
import {notAFile} from './fs-error.ts';

export interface FileContent {
  readonly bytes: Uint8Array;
  /** Fail when the file exists. */
  readonly exclusive: boolean;
}

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export async function writeFileIn(
  directory: OpenDirectory,
  name: string,
  relative: string,
  content: FileContent,
): Promise<void> {
  const target = childPath(directory, name);
  const mode = await replaceableMode(target, relative, content.exclusive);
  const temporary = childPath(directory, `.${randomUUID()}.tmp`);
  const handle = await open(temporary, flags, mode ?? 0o666);
  try {
    try {
      await handle.writeFile(content.bytes);
      if (mode !== undefined) await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    // Unlike rename, link fails when the target exists by now.
    if (content.exclusive) await link(temporary, target);
    else await rename(temporary, target);
  } finally {
    await unlink(temporary).catch(unlessMoved);
  }
}

/** The permissions to keep; undefined when no file is replaced. */
async function replaceableMode(target: string, relative: string, exclusive: boolean): Promise<number | undefined> {
  const existing = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (existing === undefined) return undefined;
  if (existing.isSymbolicLink()) throw new SymlinkMet(relative);
  if (!existing.isFile()) throw notAFile(relative);
  if (exclusive) throw new ToolError('EXISTS', `\`${relative}\` already exists`, {path: relative});
  return existing.mode & 0o777;
}

function unlessMoved(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
