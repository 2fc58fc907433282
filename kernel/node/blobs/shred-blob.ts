// Overwrites every copy of contents with zeros in place, so that the offsets of other contents stay valid. The medium may
// keep old bytes that no file system call can reach.
import {constants} from 'node:fs';
import {open, readdir, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {sha256Hex} from '../system/sha256.ts';
import {formatBlobRef} from './blob-ref.ts';
import {packFrames, type PackFrame} from './pack-frames.ts';

const framesPerTurn = 10_000;
const zerosMax = 1024 * 1024;

/** Gives the refs that led to each; a copy that was gone before has none. Rejects when a file cannot be written. */
export async function shredBlobs(
  folder: string,
  hashes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const refs = new Map<string, string[]>();
  const shredded = (hash: string, ref: string): void => void refs.set(hash, [...(refs.get(hash) ?? []), ref]);
  for (const name of await readdir(folder)) {
    if (hashes.has(name) || name.startsWith('new-')) {
      const hash = await withFile(join(folder, name), (file) => shredFile(file, hashes));
      if (hash === name) shredded(hash, formatBlobRef({kind: 'file', hash}));
    } else if (name.startsWith('pack-')) {
      const frames = await withFile(join(folder, name), (file) => shredPacked(file, hashes));
      for (const {hash, offset, length} of frames ?? []) {
        shredded(hash, formatBlobRef({kind: 'packed', pack: name, offset, length}));
      }
    }
  }
  return refs;
}

/** Undefined when the file is gone: a temporary one was only on its way. */
async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDWR);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Gives the hash of what was overwritten. */
async function shredFile(file: FileHandle, hashes: ReadonlySet<string>): Promise<string | undefined> {
  const bytes = await file.readFile();
  const hash = sha256Hex(bytes);
  if (!hashes.has(hash)) return undefined;
  await overwrite(file, 0, bytes.length);
  await file.datasync();
  // One zero is enough to show that it was here.
  await file.truncate(Math.min(1, bytes.length));
  await file.datasync();
  return hash;
}

async function shredPacked(file: FileHandle, hashes: ReadonlySet<string>): Promise<readonly PackFrame[]> {
  const pack = await file.readFile();
  const found = await framesWith(pack, hashes);
  for (const {offset, length} of found) await overwrite(file, offset, length);
  if (found.length > 0) await file.datasync();
  return found;
}

/** Those that still have their content. */
export async function framesWith(pack: Buffer, hashes: ReadonlySet<string>): Promise<readonly PackFrame[]> {
  const found: PackFrame[] = [];
  let frames = 0;
  for (const frame of packFrames(pack)) {
    const {hash, offset, length} = frame;
    if (hashes.has(hash) && sha256Hex(pack.subarray(offset, offset + length)) === hash) found.push(frame);
    if (++frames % framesPerTurn === 0) await nextTurn();
  }
  return found;
}

async function overwrite(file: FileHandle, offset: number, length: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(length, zerosMax));
  for (let done = 0; done < length;) {
    const {bytesWritten} = await file.write(zeros, 0, Math.min(zeros.length, length - done), offset + done);
    done += bytesWritten;
  }
}
