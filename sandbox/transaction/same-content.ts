import {open, type FileHandle} from 'node:fs/promises';
import {fillChunk} from './fill-chunk.ts';

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
      handles.map((handle, index) => fillChunk(handle, chunks[index === 0 ? 0 : 1], position)),
    );
    const [first = 0, second = 0] = reads;
    if (first !== second || chunks[0].compare(chunks[1], 0, first, 0, first) !== 0) return false;
    if (first < chunkBytes) return true;
  }
}
