// Overwrites every copy of a content with zeros in place, so that the offsets of other contents stay valid. The medium may
// keep old bytes that no file system call can reach.
import {constants} from 'node:fs';
import {open, readdir, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {sha256Hex} from '../system/sha256.ts';
import {formatBlobRef, parsePackHeader} from './blob-ref.ts';

const framesPerTurn = 10_000;
const zerosMax = 1024 * 1024;

/** Gives the refs that led to it; a copy that was gone before has none. Rejects when a file cannot be written. */
export async function shredBlob(folder: string, hash: string): Promise<readonly string[]> {
  const refs: string[] = [];
  for (const name of await readdir(folder)) {
    if (name === hash || name.startsWith('new-')) {
      const found = await withFile(join(folder, name), (file) => shredFile(file, hash));
      if (found && name === hash) refs.push(formatBlobRef({kind: 'file', hash}));
    } else if (name.startsWith('pack-')) {
      const locations = await withFile(join(folder, name), (file) => shredPacked(file, hash));
      for (const location of locations ?? []) refs.push(formatBlobRef({kind: 'packed', pack: name, ...location}));
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

async function shredFile(file: FileHandle, hash: string): Promise<boolean> {
  const bytes = await file.readFile();
  if (sha256Hex(bytes) !== hash) return false;
  await overwrite(file, 0, bytes.length);
  await file.datasync();
  // One zero is enough to show that it was here.
  await file.truncate(Math.min(1, bytes.length));
  await file.datasync();
  return true;
}

interface PackedLocation {
  readonly offset: number;
  readonly length: number;
}

async function shredPacked(file: FileHandle, hash: string): Promise<readonly PackedLocation[]> {
  const pack = await file.readFile();
  const locations: PackedLocation[] = [];
  let at: number | undefined = 0;
  for (let frames = 1; at !== undefined && at < pack.length; frames += 1) {
    const header = parsePackHeader(pack, at);
    if (header === undefined) {
      at = frameAfterHole(pack, at);
      continue;
    }
    const offset: number = at + header.bytes;
    const content = pack.subarray(offset, offset + header.length);
    if (header.hash === hash && sha256Hex(content) === hash) locations.push({offset, length: header.length});
    at = offset + header.length + 1;
    if (frames % framesPerTurn === 0) await nextTurn();
  }
  for (const {offset, length} of locations) await overwrite(file, offset, length);
  if (locations.length > 0) await file.datasync();
  return locations;
}

/** A crash may leave zeros in the middle of a pack. A blob after them counts if it matches its header. */
function frameAfterHole(pack: Buffer, from: number): number | undefined {
  const rest = pack.toString('latin1', from);
  for (const {index} of rest.matchAll(/[0-9a-f]{64} [0-9]{1,9}\n/gu)) {
    const at = from + index;
    const header = parsePackHeader(pack, at);
    const offset = at + (header?.bytes ?? 0);
    if (header?.hash === sha256Hex(pack.subarray(offset, offset + (header?.length ?? 0)))) return at;
  }
  return undefined;
}

async function overwrite(file: FileHandle, offset: number, length: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(length, zerosMax));
  for (let done = 0; done < length;) {
    const {bytesWritten} = await file.write(zeros, 0, Math.min(zeros.length, length - done), offset + done);
    done += bytesWritten;
  }
}
