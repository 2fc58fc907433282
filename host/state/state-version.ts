// Distinguishes the versions of a file, at a cost that does not grow with logs, which only grow at their end. Documents are
// compared by their whole content.
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import type {StateVersion} from '@lumenflow/pack-sdk';

const tailBytes = 64 * 1024;

/** Version of the file's first `size` bytes. */
export async function versionOf(handle: FileHandle, size: number): Promise<StateVersion> {
  const {ino} = await handle.stat({bigint: true});
  const tail = await readRange(handle, Math.max(0, size - tailBytes), size);
  const hash = createHash('sha256').update(`${ino} ${size} `).update(tail).digest('hex');
  return {version: hash.slice(0, 32), size};
}

/** The end of the last complete line: a crash left the rest, or it is being written. */
export async function endOfLines(handle: FileHandle): Promise<number> {
  const {size} = await handle.stat();
  for (let end = size; end > 0; end -= tailBytes) {
    const start = Math.max(0, end - tailBytes);
    const newline = (await readRange(handle, start, end)).lastIndexOf('\n');
    if (newline !== -1) return start + newline + 1;
  }
  return 0;
}

export async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const content = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < content.length) {
    const {bytesRead} = await handle.read(content, filled, content.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return content.subarray(0, filled);
}

export async function sizeOf(handle: FileHandle): Promise<number> {
  return (await handle.stat()).size;
}
