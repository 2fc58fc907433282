import {createHash} from 'node:crypto';
import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';

const chunkBytes = 1024 * 1024;
const chunksPerTurn = 8;

/** SHA-256 of a regular file, hex. A symlink at the end of the path is not followed. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, fstatSync(fd).size)));
    for (let count = 1; ; count++) {
      const length = readSync(fd, chunk, 0, chunk.length, null);
      if (length === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, length));
      if (count % chunksPerTurn === 0) await turn();
    }
  } finally {
    closeSync(fd);
  }
}
