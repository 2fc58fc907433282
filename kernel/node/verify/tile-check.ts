// Compares the existing tiles of a tree with the tree of the log itself. A missing tile can be rebuilt at any time and is not a
// finding. Neither is a hole, where a file was never written.
import {readHashes, tileBytes, tileFilePath, tileHashes, tileHeight, hashBytes} from '../signed-log/tile-file.ts';
import type {VerifyFinding} from './verify-finding.ts';

export class TileCheck {
  readonly #folder: string;
  readonly #findings: VerifyFinding[];
  readonly #open: {hashes: number; readonly bytes: Buffer}[] = [];

  constructor(folder: string, findings: VerifyFinding[]) {
    this.#folder = folder;
    this.#findings = findings;
  }

  /** Must be called for each complete subtree in order, as far as a checkpoint covers them. */
  add(level: number, hash: Uint8Array): void {
    if (level % tileHeight !== 0) return;
    const tile = (this.#open[level / tileHeight] ??= {hashes: 0, bytes: Buffer.alloc(tileBytes)});
    tile.bytes.set(hash, (tile.hashes % tileHashes) * hashBytes);
    tile.hashes += 1;
    if (tile.hashes % tileHashes > 0) return;
    const path = tileFilePath(this.#folder, level / tileHeight);
    const kept = readOrNothing(path, tile.hashes - tileHashes);
    if (tile.bytes.equals(kept) || kept.every((byte) => byte === 0)) return;
    const text = `\`${path}\`: tile ${tile.hashes / tileHashes - 1} is not that of the tree over the log`;
    this.#findings.push({status: 'tampered', text});
  }
}

function readOrNothing(path: string, first: number): Uint8Array {
  try {
    return readHashes(path, first, tileHashes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array();
    throw error;
  }
}
