// Deletes contents by a rule while other processes record calls. A copy is overwritten only in a step in which no process can record one
// more use of it; before each step, contents that are needed again are dropped from the list.
import {constants, writeSync} from 'node:fs';
import {open, readdir, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import {formatBlobRef, type BlobLocation} from './blob-ref.ts';
import {framesWith} from './shred-blob.ts';

/** A file that a process was writing when it ended. One that is still being written is younger. */
const abandonedMs = 3_600_000;
const zerosMax = 1024 * 1024;

export interface Deletion {
  /** Contents are dropped from it while this runs. */
  readonly hashes: ReadonlySet<string>;
  /** Copies that this process stored since then stay: a call will refer to them. */
  readonly isFresh: (location: BlobLocation) => boolean;
  /** Runs one step, which is synchronous. */
  readonly step: (work: () => void) => Promise<void>;
}

interface Copy {
  readonly hash: string;
  readonly location: BlobLocation;
  readonly at: number;
  readonly bytes: number;
}

/** By hash, the refs that led to a copy. */
export async function deleteContents(
  folder: string,
  deletion: Deletion,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const refs = new Map<string, readonly string[]>();
  for (const name of await readdir(folder)) {
    if (!deletion.hashes.has(name) && !/^(?:new|pack)-/u.test(name)) continue;
    const file = await openIfThere(join(folder, name));
    if (file === undefined) continue;
    try {
      for (const {hash, location} of await deleteIn(file, name, deletion)) {
        if (!name.startsWith('new-')) refs.set(hash, [...(refs.get(hash) ?? []), formatBlobRef(location)]);
      }
    } finally {
      await file.close();
    }
  }
  return refs;
}

async function deleteIn(file: FileHandle, name: string, {hashes, isFresh, step}: Deletion): Promise<readonly Copy[]> {
  const copies = name.startsWith('pack-') ? await copiesInPack(file, name, hashes) : await copyInFile(file, name);
  const found = copies.filter(({hash}) => hashes.has(hash));
  const deleted: Copy[] = [];
  if (found.length === 0) return deleted;
  await step(() => {
    for (const copy of found) {
      if (!hashes.has(copy.hash) || isFresh(copy.location)) continue;
      overwrite(file.fd, copy);
      deleted.push(copy);
    }
  });
  if (deleted.length === 0) return deleted;
  await file.datasync();
  // One zero is enough to show that it was here.
  if (!name.startsWith('pack-')) await file.truncate(Math.min(1, found[0]?.bytes ?? 0));
  await file.datasync();
  return deleted;
}

async function copiesInPack(file: FileHandle, pack: string, hashes: ReadonlySet<string>): Promise<readonly Copy[]> {
  const frames = await framesWith(await file.readFile(), hashes);
  return frames.map(({hash, offset, length}) => {
    return {hash, location: {kind: 'packed', pack, offset, length}, at: offset, bytes: length};
  });
}

async function copyInFile(file: FileHandle, name: string): Promise<readonly Copy[]> {
  if (name.startsWith('new-') && Date.now() - (await file.stat()).mtimeMs < abandonedMs) return [];
  const content = await file.readFile();
  const hash = sha256Hex(content);
  return [{hash, location: {kind: 'file', hash}, at: 0, bytes: content.length}];
}

function overwrite(fd: number, {at, bytes}: Copy): void {
  const zeros = Buffer.alloc(Math.min(bytes, zerosMax));
  for (let done = 0; done < bytes;) done += writeSync(fd, zeros, 0, Math.min(zeros.length, bytes - done), at + done);
}

/** Undefined if it is gone: another process archived it, or had it only on its way. */
async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
