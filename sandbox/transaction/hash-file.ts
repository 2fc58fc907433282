import {createHash} from 'node:crypto';
import {closeSync, constants, openSync, readSync} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';

const chunkBytes = 1024 * 1024;
const chunksPerTurn = 8;
/** One buffer for all hashes: what was read into it is hashed before other code can run. */
const chunk = Buffer.allocUnsafeSlow(chunkBytes);

/** SHA-256 of a regular file, hex. A symlink at the end of the path is not followed. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for (let count = 1; ; count++) {
      const length = readSync(fd, chunk, 0, chunkBytes, null);
      hash.update(chunk.subarray(0, length));
      if (length === 0) return hash.digest('hex');
      if (count % chunksPerTurn === 0) await turn();
    }
  } finally {
    closeSync(fd);
  }
}
