// The hashes of one level of a log's Merkle tree in one file, in tiles of 256 as in C2SP tlog-tiles (https://c2sp.org/tlog-tiles).
// Every process writes the same bytes to the same place. Only hashes that the newest checkpoint covers are certainly on disk. After
// them there may be holes, and hashes of lines that were lost.
import {closeSync, constants, mkdirSync, openSync, readSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {writeFully, type FileOperations} from '../log/file-operations.ts';

export const hashBytes = 32;
export const tileHashes = 256;
export const tileBytes: number = tileHashes * hashBytes;
/** Levels of the tree that one level of tiles spans. */
export const tileHeight = 8;

/** Half a MiB: the others' turns come between. */
const tilesPerWrite = 64;

/** `level` 0 contains the leaves' hashes, 1 the roots of the tiles of level 0, and so on. */
export function tileFilePath(folder: string, level: number): string {
  return join(folder, 'tiles', String(level));
}

/** How many tiles there is room for; not all of them need to have been written. */
export function countTiles(path: string): number {
  return Math.floor((statSync(path, {throwIfNoEntry: false})?.size ?? 0) / tileBytes);
}

/** Fewer bytes than that many hashes have where the file ends before. Throws ENOENT when there is none. */
export function readHashes(path: string, first: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count * hashBytes);
  const fd = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, first * hashBytes));
  } finally {
    closeSync(fd);
  }
}

/**
 * Resolves when they are on disk; the file's name may not be. After a failure, all of them must be written again. Hashes that the file
 * already has are written too: after a failed sync, they may be in memory only.
 */
export async function writeTiles(
  files: FileOperations,
  path: string,
  {tiles, first}: {readonly tiles: readonly Uint8Array[]; readonly first: number},
): Promise<void> {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    for (let at = 0; at < tiles.length; at += tilesPerWrite) {
      if (at > 0) await nextTurn();
      writeFully(files, fd, Buffer.concat(tiles.slice(at, at + tilesPerWrite)), (first + at) * tileBytes);
    }
    await files.datasync(fd);
  } finally {
    closeSync(fd);
  }
}
