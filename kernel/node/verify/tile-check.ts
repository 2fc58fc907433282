// Holds the tiles of a tree, as far as there are any, against the tree of the log itself. One that is missing can be
// made again at any time and is no finding.
import {readFileSync} from 'node:fs';
import {tileHashes, tileHeight, tilePath} from '../checkpoints/tree-tiles.ts';
import type {Finding} from './finding.ts';

export class TileCheck {
  readonly #folder: string;
  readonly #findings: Finding[];
  readonly #open: {index: number; hashes: Uint8Array[]}[] = [];

  constructor(folder: string, findings: Finding[]) {
    this.#folder = folder;
    this.#findings = findings;
  }

  /** Told of each complete subtree in order. */
  add(level: number, hash: Uint8Array): void {
    if (level % tileHeight !== 0) return;
    const tile = (this.#open[level / tileHeight] ??= {index: 0, hashes: []});
    tile.hashes.push(hash);
    if (tile.hashes.length < tileHashes) return;
    const path = tilePath(this.#folder, level / tileHeight, tile.index);
    const kept = readOrUndefined(path);
    if (kept !== undefined && !kept.equals(Buffer.concat(tile.hashes))) {
      this.#findings.push({status: 'tampered', text: `\`${path}\` is not the tile of the tree over the log`});
    }
    tile.index += 1;
    tile.hashes = [];
  }
}

function readOrUndefined(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
