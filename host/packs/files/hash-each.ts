// Hashes many small files. Synchronous reads cost a few system calls for each file, several times less than promises; the loop
// yields regularly to other work.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';

export interface HashedContent {
  /** As passed in. */
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

const filesPerTurn = 64;
const bytesPerTurn = 1024 * 1024;

/** Paths are relative to the folder, or absolute. Throws the read error of the first file that cannot be read. */
export async function* hashEach(folder: string, paths: Iterable<string>): AsyncGenerator<HashedContent> {
  let [files, bytes] = [0, 0];
  for (const path of paths) {
    const content = readFileSync(resolve(folder, path));
    yield {path, bytes: content.byteLength, sha256: sha256(content)};
    files += 1;
    bytes += content.byteLength;
    if (files < filesPerTurn && bytes < bytesPerTurn) continue;
    [files, bytes] = [0, 0];
    await nextTurn();
  }
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
