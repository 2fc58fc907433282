// Measures how much a call wrote, from the upper layer of its view. A copy-up of a file is not a write: only what differs from
// the file below counts. The cost is linear in the number of entries that the call touched.
import {lstatSync, readdirSync, type BigIntStats} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';
import {entryOf, type Entry} from './entry.ts';
import {countDifferentBytes} from './count-different-bytes.ts';
import {DirectoryLocked} from './directory-locked.ts';
import {PathTooLong} from './path-too-long.ts';
import {pathBytesMax} from './write-limits.ts';

export interface MeasuredTrees {
  /** The workspace. */
  readonly root: string;
  /** The upper layer: an entry wherever the call wrote. */
  readonly touched: string;
  /** Where `touched` has more than was written to; of a directory, but for what is in it. */
  isUntouched?(path: string, now: Entry): boolean;
}

export interface Written {
  readonly bytes: number;
  readonly files: number;
  /** Room on the disk, copy-ups included. */
  readonly diskBytes: number;
}

/**
 * Of a file that existed, `growth` counts the bytes by which it grew, `size` all of it, and `content` the bytes that differ.
 * So `growth` is at most what was written, and `size` at least.
 */
export type ChangedFiles = 'growth' | 'size' | 'content';

/** An entry that disappears in the meantime is not counted. Rejects with `PathTooLong` and `DirectoryLocked`. */
export async function measureWrites(trees: MeasuredTrees, changedFiles: ChangedFiles): Promise<Written> {
  const measure = new Measure(trees, changedFiles);
  await measure.directory(Buffer.alloc(0));
  return measure;
}

const entriesPerTurn = 256;

class Measure implements Written {
  bytes = 0;
  files = 0;
  diskBytes = 0;
  readonly #trees: MeasuredTrees;
  readonly #root: Buffer;
  readonly #touched: Buffer;
  readonly #changedFiles: ChangedFiles;
  /** Inodes with several names, which are counted once. */
  readonly #linked = new Set<bigint>();
  #seen = 0;

  constructor(trees: MeasuredTrees, changedFiles: ChangedFiles) {
    this.#trees = trees;
    this.#root = Buffer.from(trees.root);
    this.#touched = Buffer.from(trees.touched);
    this.#changedFiles = changedFiles;
  }

  /** Names are bytes: an entry whose name is not UTF-8 takes space too. */
  async directory(path: Buffer): Promise<void> {
    let hasDeleted = false;
    for (const name of unlessLocked(path, () => namesIn(below(this.#touched, path)))) {
      const inside = below(path, name);
      if (inside.length > pathBytesMax) throw new PathTooLong();
      const stat = unlessLocked(path, () => look(below(this.#touched, inside)));
      this.#seen += 1;
      if (this.#seen % entriesPerTurn === 0) await turn();
      if (stat === undefined) continue;
      if (isWhiteout(stat)) hasDeleted = true;
      else await this.#entry(inside, stat);
    }
    if (hasDeleted) this.files += 1;
  }

  async #entry(path: Buffer, stat: BigIntStats): Promise<void> {
    if (this.#isUntouched(path, stat)) return stat.isDirectory() ? await this.directory(path) : undefined;
    const before = look(below(this.#root, path));
    this.diskBytes += Number(stat.blocks) * 512;
    if (stat.isDirectory()) {
      if (before?.isDirectory() !== true) this.files += 1;
      return await this.directory(path);
    }
    if (before === undefined || !stat.isFile() || !before.isFile()) this.files += 1;
    if (stat.isFile() && this.#isFirstName(stat)) this.bytes += await this.#content(path, stat, before);
  }

  #isUntouched(path: Buffer, stat: BigIntStats): boolean {
    return this.#trees.isUntouched?.(path.toString(), entryOf(stat, undefined)) === true;
  }

  #isFirstName({nlink, ino}: BigIntStats): boolean {
    if (nlink === 1n) return true;
    const isFirst = !this.#linked.has(ino);
    this.#linked.add(ino);
    return isFirst;
  }

  async #content(path: Buffer, {size}: BigIntStats, before: BigIntStats | undefined): Promise<number> {
    if (before?.isFile() !== true || this.#changedFiles === 'size') return Number(size);
    if (this.#changedFiles === 'growth') return Math.max(0, Number(size - before.size));
    return await countDifferentBytes(below(this.#root, path), below(this.#touched, path));
  }
}

function unlessLocked<T>(directory: Buffer, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EACCES' ? new DirectoryLocked(directory.toString()) : error;
  }
}

function isWhiteout(stat: BigIntStats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0n;
}

const slash = Buffer.from('/');

function below(directory: Buffer, name: Buffer): Buffer {
  return directory.length === 0 ? name : name.length === 0 ? directory : Buffer.concat([directory, slash, name]);
}

function namesIn(directory: Buffer): readonly Buffer[] {
  return undefinedIfMissing(() => readdirSync(directory, {encoding: 'buffer'})) ?? [];
}

function look(path: Buffer): BigIntStats | undefined {
  return undefinedIfMissing(() => lstatSync(path, {bigint: true, throwIfNoEntry: false}));
}

function undefinedIfMissing<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
