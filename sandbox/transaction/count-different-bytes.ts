import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {fillChunk} from './fill-chunk.ts';

const blockBytes = 4096;
const chunkBytes = 64 * blockBytes;
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Bytes of `after` that differ from `before`, in blocks of 4 KiB. A file that cannot be opened counts in full. */
export async function countDifferentBytes(before: Buffer, after: Buffer): Promise<number> {
  const changed = await open(after, flags);
  try {
    const original = await open(before, flags).catch(() => undefined);
    if (original === undefined) return (await changed.stat()).size;
    try {
      return await countIn(original, changed);
    } finally {
      await original.close();
    }
  } finally {
    await changed.close();
  }
}

async function countIn(original: FileHandle, changed: FileHandle): Promise<number> {
  const chunks = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  let count = 0;
  for (let position = 0; ; position += chunkBytes) {
    const [had, has] = await Promise.all([
      fillChunk(original, chunks[0], position),
      fillChunk(changed, chunks[1], position),
    ]);
    for (let start = 0; start < has; start += blockBytes) {
      const end = Math.min(start + blockBytes, has);
      const isSame = end <= had && chunks[0].compare(chunks[1], start, end, start, end) === 0;
      if (!isSame) count += end - start;
    }
    if (has < chunkBytes) return count;
  }
}
