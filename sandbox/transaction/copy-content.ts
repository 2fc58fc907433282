// Copies the content of a file that others can exchange at any time: a symlink or a named pipe in its place is neither followed nor
// waited for.
import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';

const chunkBytes = 1024 * 1024;
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** `target` does not exist yet. Only its owner can read it at first. */
export async function copyContent(source: string, target: string): Promise<void> {
  const from = await open(source, readFlags);
  try {
    const to = await open(target, 'wx', 0o600);
    try {
      await copyAll(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copyAll(from: FileHandle, to: FileHandle): Promise<void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const {bytesRead} = await from.read(chunk, 0, chunkBytes);
    if (bytesRead === 0) return;
    await to.writeFile(chunk.subarray(0, bytesRead));
  }
}
