// The hashes of a log's Merkle tree in tiles of 256, as C2SP tlog-tiles lays them out (https://c2sp.org/tlog-tiles):
// level by level, so that a proof reads a few files however long the log is. Full tiles are files, written once.
import {nodeHash} from '@lumenflow/kernel';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createFile} from '../log/create-file.ts';
import {sha256Bytes} from '../system/sha256.ts';

export const tileHashes = 256;
/** Levels of the tree that one level of tiles spans. */
export const tileHeight = 8;
const hashBytes = 32;

/** `level` 0 holds the leaves' hashes; numbers from 1,000 on are split into folders. */
export function tilePath(folder: string, level: number, index: number): string {
  const groups: string[] = [String(index % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000)) {
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  }
  return join(folder, 'tile', String(level), ...groups);
}

interface Level {
  /** Full tiles so far. */
  full: number;
  /** Hashes since. */
  open: Uint8Array[];
}

interface Unwritten {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export class TreeTiles {
  readonly #folder: string;
  #levels: Level[] = [];
  #unwritten: Unwritten[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The tiles that are full and not on disk. */
  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** Told of each complete subtree in order. */
  add(level: number, hash: Uint8Array): void {
    if (level % tileHeight !== 0) return;
    const tiles = this.#level(level / tileHeight);
    tiles.open.push(hash);
    if (tiles.open.length < tileHashes) return;
    const path = tilePath(this.#folder, level / tileHeight, tiles.full);
    this.#unwritten.push({path, bytes: Buffer.concat(tiles.open)});
    tiles.full += 1;
    tiles.open = [];
  }

  /** Brings full tiles to disk. One at a time. */
  async keep(): Promise<void> {
    const unwritten = [...this.#unwritten];
    await Promise.all(
      unwritten.map(async ({path, bytes}) => {
        mkdirSync(dirname(path), {recursive: true, mode: 0o700});
        await createFile(path, bytes);
      }),
    );
    // Until then they are read from here.
    this.#unwritten = this.#unwritten.filter((tile) => !unwritten.includes(tile));
  }

  /** The root of a complete subtree. Throws ENOENT when its tile is gone, RangeError when it is cut. */
  at(level: number, index: number): Uint8Array {
    const below = level % tileHeight;
    const first = index * 2 ** below;
    const tile = Math.floor(first / tileHashes);
    let hashes = this.#tile(Math.floor(level / tileHeight), tile).slice(
      first - tile * tileHashes,
      first - tile * tileHashes + 2 ** below,
    );
    while (hashes.length > 1) {
      hashes = hashes.flatMap((left, at) => {
        const right = hashes[at + 1];
        return at % 2 === 1 || right === undefined ? [] : [nodeHash(sha256Bytes, left, right)];
      });
    }
    const [root] = hashes;
    if (root === undefined) throw new RangeError(`the tree has no hash ${index} at level ${level}`);
    return root;
  }

  /** As JSON, for `restore`: the hashes that are in no full tile yet. */
  state(): unknown {
    return this.#levels.map(({open}) => Buffer.concat(open).toString('base64'));
  }

  /** False, and nothing changed, for what `state` did not give for a tree of this size. */
  restore(state: unknown, size: number): boolean {
    if (!Array.isArray(state)) return false;
    const levels = state.map((text, level): Level => {
      const count = Math.floor(size / tileHashes ** level);
      return {full: Math.floor(count / tileHashes), open: hashesOf(Buffer.from(String(text), 'base64'))};
    });
    const isWhole = levels.every(({open}, level) => {
      return open.length === Math.floor(size / tileHashes ** level) % tileHashes;
    });
    if (!isWhole || size >= tileHashes ** levels.length) return false;
    this.#levels = levels;
    this.#unwritten = [];
    return true;
  }

  /** Forgets all and removes the files: they are not what the log says. */
  clear(): void {
    this.#levels = [];
    this.#unwritten = [];
    rmSync(join(this.#folder, 'tile'), {recursive: true, force: true});
  }

  #level(level: number): Level {
    for (let next = this.#levels.length; next <= level; next += 1) this.#levels.push({full: 0, open: []});
    return this.#levels[level] ?? {full: 0, open: []};
  }

  #tile(level: number, tile: number): Uint8Array[] {
    const {full, open} = this.#level(level);
    if (tile >= full) return open;
    const path = tilePath(this.#folder, level, tile);
    return hashesOf(this.#unwritten.find((unwritten) => unwritten.path === path)?.bytes ?? readFileSync(path));
  }
}

function hashesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({length: Math.floor(bytes.length / hashBytes)}, (_, at) =>
    bytes.subarray(at * hashBytes, (at + 1) * hashBytes),
  );
}
