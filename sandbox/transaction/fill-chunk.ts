import type {FileHandle} from 'node:fs/promises';

/** Reads until the chunk is full or the file ends, because a read may return fewer bytes than are available. Returns their number. */
export async function fillChunk(handle: FileHandle, chunk: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < chunk.length) {
    const {bytesRead} = await handle.read(chunk, filled, chunk.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
