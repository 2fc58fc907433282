// The hashes of a log's Merkle tree, level by level in tiles: for a log of any length, a proof reads only a few of them. Full tiles go
// to disk; the others are read from memory.
import {nodeHash} from '@lumenflow/kernel/adapters';
import {rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {FileOperations} from '../log/file-operations.ts';
import {syncFolder} from '../log/segment-files.ts';
import {sha256Bytes} from '../system/sha256.ts';
import {
  countTiles,
  hashBytes,
  readHashes,
  tileBytes,
  tileFilePath,
  tileHashes,
  tileHeight,
  writeTiles,
} from './tile-file.ts';

export interface TileStore {
  readonly tileFolder: string;
  readonly files: FileOperations;
}

interface Level {
  /** How many tiles are on disk. */
  kept: number;
  /** The full ones after them. */
  readonly full: Uint8Array[];
  /** The one that grows, and how many hashes it has. */
  open: Uint8Array;
  count: number;
}

export class TreeTiles {
  readonly #store: TileStore | undefined;
  #levels: Level[] = [];
  #unwritten = 0;
  /** Levels whose file is known to survive a power cut by name. */
  readonly #named = new Set<number>();

  /** Without a store, all hashes stay in memory: 32 bytes for each line, and as much again for the levels above. */
  constructor(store?: TileStore) {
    this.#store = store;
  }

  /** The tiles that are full and not on disk. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Must be called for each complete subtree, in order. */
  add(level: number, hash: Uint8Array): void {
    if (level % tileHeight !== 0) return;
    const tiles = (this.#levels[level / tileHeight] ??= emptyLevel());
    tiles.open.set(hash, tiles.count * hashBytes);
    tiles.count += 1;
    if (tiles.count < tileHashes) return;
    tiles.full.push(tiles.open);
    tiles.open = new Uint8Array(tileBytes);
    tiles.count = 0;
    this.#unwritten += 1;
  }

  /** Brings to disk what is full by now. One at a time. */
  async keep(): Promise<void> {
    if (this.#store === undefined) return;
    for (const [level, tiles] of this.#levels.entries()) {
      if (tiles.full.length > 0) await this.#write(this.#store, {level, tiles});
    }
  }

  /** The root of a complete subtree. Throws ENOENT or RangeError when the file of its tile is gone or cut. */
  at(level: number, index: number): Uint8Array {
    const count = 2 ** (level % tileHeight);
    const hashes = this.#hashes(Math.floor(level / tileHeight), index * count, count);
    if (hashes.length < count * hashBytes) throw new RangeError(`the tree has no hash ${index} at level ${level}`);
    return rootOf(hashes);
  }

  /** As JSON, for `restore`: the hashes that are in no full tile yet. */
  state(): unknown {
    return this.#levels.map((level) => Buffer.from(openHashes(level)).toString('base64'));
  }

  /**
   * False, without a change, unless `state` is from a tree of this size, which a checkpoint covers, and the files have the full tiles.
   * An earlier version kept them elsewhere.
   */
  restore(state: unknown, size: number): boolean {
    const {tileFolder} = this.#store ?? {};
    if (tileFolder === undefined || !Array.isArray(state) || size >= tileHashes ** state.length) return false;
    const levels = state.map((text, level) =>
      restored(tileFilePath(tileFolder, level), Math.floor(size / tileHashes ** level), String(text)),
    );
    const whole = levels.filter((level) => level !== undefined);
    if (whole.length < levels.length) return false;
    this.#levels = whole;
    this.#unwritten = 0;
    return true;
  }

  /** The files stay: others may be reading them. What is wrong in them is written over as the tree grows again. */
  forget(): void {
    this.#levels = [];
    this.#unwritten = 0;
  }

  async #write(store: TileStore, {level, tiles: into}: {readonly level: number; readonly tiles: Level}): Promise<void> {
    const {tileFolder, files} = store;
    const path = tileFilePath(tileFolder, level);
    // More may be full once these are on disk.
    const tiles = [...into.full];
    await writeTiles(files, path, {tiles, first: into.kept});
    if (!this.#named.has(level)) {
      syncFolder(dirname(path));
      // Where earlier versions kept a file for each tile.
      await rm(join(tileFolder, 'tile'), {recursive: true, force: true});
      this.#named.add(level);
    }
    into.full.splice(0, tiles.length);
    into.kept += tiles.length;
    this.#unwritten -= tiles.length;
  }

  #hashes(level: number, first: number, count: number): Uint8Array {
    const tiles = this.#levels[level] ?? emptyLevel();
    const tile = Math.floor(first / tileHashes) - tiles.kept;
    if (tile < 0) return readHashes(tileFilePath(this.#store?.tileFolder ?? '', level), first, count);
    const at = (first % tileHashes) * hashBytes;
    const bytes = tiles.full[tile] ?? (tile === tiles.full.length ? openHashes(tiles) : new Uint8Array());
    return bytes.subarray(at, at + count * hashBytes);
  }
}

function restored(path: string, hashes: number, text: string): Level | undefined {
  const [kept, count] = [Math.floor(hashes / tileHashes), hashes % tileHashes];
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== count * hashBytes || countTiles(path) < kept) return undefined;
  const level = {...emptyLevel(), kept, count};
  level.open.set(bytes);
  return level;
}

function emptyLevel(): Level {
  return {kept: 0, full: [], open: new Uint8Array(tileBytes), count: 0};
}

function openHashes({open, count}: Level): Uint8Array {
  return open.subarray(0, count * hashBytes);
}

/** Over a power of two of hashes. */
function rootOf(hashes: Uint8Array): Uint8Array {
  if (hashes.length === hashBytes) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(sha256Bytes, rootOf(hashes.subarray(0, middle)), rootOf(hashes.subarray(middle)));
}
