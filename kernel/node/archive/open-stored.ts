// Opens a file of the state, wherever it is: in its folder, or restored from the archive.
import {KernelError} from '@lumenflow/kernel';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {openIfPresent} from '../system/open-if-present.ts';
import {lookForArchived, readArchived, restoredPath, type ArchivedFile} from './archived-file.ts';

/** A file must be fetched first. `ArchiveReader.reading` does this, and repeats what was interrupted. */
export class NeedsArchive extends KernelError {
  readonly folder: string;
  readonly file: ArchivedFile;

  constructor(folder: string, file: ArchivedFile) {
    const help = 'set `archive` in workspace.yaml, or name it with --archive';
    super('LOG_UNAVAILABLE', `\`${join(folder, file.name)}\` is in the archive ${file.archive}: ${help}`);
    this.folder = folder;
    this.file = file;
  }
}

/** Undefined if there is no such file. Throws NeedsArchive. */
export function openStored(folder: string, name: string): number | undefined {
  const fd = openIfPresent(join(folder, name));
  if (fd !== undefined) return fd;
  const file = readArchived(folder, name);
  if (file?.key === undefined) return undefined;
  const restored = openIfPresent(restoredPath(folder, file));
  if (restored !== undefined) return restored;
  throw new NeedsArchive(folder, file);
}

/** Whether there is such a file, here or in the archive. */
export function isStored(folder: string, name: string): boolean {
  return existsSync(join(folder, name)) || lookForArchived(folder, name)?.key !== undefined;
}
