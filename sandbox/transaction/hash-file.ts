import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';

const chunkBytes = 1024 * 1024;

/** SHA-256 of a regular file, hex. A symlink at the end of the path is not followed. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const {bytesRead} = await handle.read(chunk, 0, chunkBytes, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
