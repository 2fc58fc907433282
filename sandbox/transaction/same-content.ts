import {open, type FileHandle} from 'node:fs/promises';

const chunkBytes = 256 * 1024;

/** Of two regular files. */
export async function sameContent(one: string, other: string): Promise<boolean> {
  const handles: FileHandle[] = [];
  try {
    for (const path of [one, other]) handles.push(await open(path));
    return await sameBytes(handles, [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)]);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function sameBytes(handles: readonly FileHandle[], chunks: readonly [Buffer, Buffer]): Promise<boolean> {
  for (let position = 0; ; position += chunkBytes) {
    const reads = await Promise.all(
      handles.map((handle, index) => fill(handle, chunks[index === 0 ? 0 : 1], position)),
    );
    const [first = 0, second = 0] = reads;
    if (first !== second || chunks[0].compare(chunks[1], 0, first, 0, first) !== 0) return false;
    if (first < chunkBytes) return true;
  }
}

/** A read may return fewer bytes than are available. */
async function fill(handle: FileHandle, chunk: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < chunk.length) {
    const {bytesRead} = await handle.read(chunk, filled, chunk.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
