// Files of calls that have ended, for later calls of the same host. A tree serves one call at a time, so calls share no file. Only what a
// call could not write is used again, and only if it has not changed: no program can set the time of a file's last change. The time alone
// proves nothing of files that a call can map into its memory.
import {chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {removeTree} from '../files/remove-tree.ts';
import type {PackedEntry} from '../packed-files/packed-entry.ts';

export interface CallTree {
  /** See `SeparateContents`. */
  claim(entries: readonly PackedEntry[], folder: string): ReadonlySet<string>;
  /** See `SeparateContents`. */
  noteReadOnly(entries: readonly PackedEntry[], folder: string): void;
  /** The call has ended, and no process of it is left. `home` is for the folder of its files alone; it is kept or removed. */
  end(home: string, folder: string): Promise<void>;
}

interface PlacedFile {
  readonly entry: PackedEntry;
  /** Its inode, and the time of its last change. */
  readonly mark: string;
}

interface KeptTree {
  readonly owner: string;
  readonly home: string;
  readonly folder: string;
  readonly files: ReadonlyMap<string, PlacedFile>;
  readonly bytes: number;
}

const treesMax = 32;

export class KeptTrees {
  readonly #bytesMax: number;
  #kept: readonly KeptTree[] = [];
  #isClosed = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** For one call of the host with this key. */
  open(owner: string): CallTree {
    const placed = new Map<string, PlacedFile>();
    return {
      claim: (entries, folder) => {
        const wanted = new Map(entries.flatMap((entry) => (entry.sha256 === undefined ? [] : [[entry.path, entry]])));
        const tree = this.#take(owner, wanted);
        if (tree === undefined) return new Set();
        const found = [...tree.files].filter(([path, {entry}]) => isSame(entry, wanted.get(path)));
        const left = prune(tree.folder, new Map(found));
        rmdirSync(folder);
        renameSync(tree.folder, folder);
        rmSync(tree.home, {recursive: true});
        return new Set(left.keys());
      },
      noteReadOnly(entries, folder) {
        for (const entry of entries) {
          if (entry.sha256 !== undefined) placed.set(entry.path, {entry, mark: markOf(join(folder, entry.path))});
        }
      },
      end: async (home, folder) => {
        const bytes = [...placed.values()].reduce((sum, {entry}) => sum + entry.size, 0);
        const isKept = placed.size > 0 && bytes <= this.#bytesMax && !this.#isClosed;
        await (isKept ? this.#keep({owner, home, folder, files: placed, bytes}) : removeTree(home));
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = this.#kept;
    this.#kept = [];
    await Promise.all(all.map(({home}) => removeTree(home)));
  }

  /** The one with most of these files; undefined if none has any. */
  #take(owner: string, wanted: ReadonlyMap<string, PackedEntry>): KeptTree | undefined {
    const counted = this.#kept
      .filter((tree) => tree.owner === owner)
      .map((tree) => ({
        tree,
        count: [...wanted].filter(([path, entry]) => isSame(tree.files.get(path)?.entry, entry)).length,
      }));
    const [best] = counted.filter(({count}) => count > 0).toSorted((a, b) => b.count - a.count);
    this.#kept = this.#kept.filter((tree) => tree !== best?.tree);
    return best?.tree;
  }

  /** Those that were used longest ago make room. */
  async #keep(tree: KeptTree): Promise<void> {
    let bytes = 0;
    const newest = [tree, ...this.#kept];
    const over = newest.findIndex((each) => (bytes += each.bytes) > this.#bytesMax);
    this.#kept = newest.slice(0, Math.min(treesMax, over === -1 ? treesMax : over));
    await Promise.all(newest.filter((each) => !this.#kept.includes(each)).map(({home}) => removeTree(home)));
  }
}

function isSame(a: PackedEntry | undefined, b: PackedEntry | undefined): boolean {
  return a !== undefined && b !== undefined && a.sha256 === b.sha256 && a.mode === b.mode && a.mtime_ns === b.mtime_ns;
}

/** Leaves only those of the files that have not changed, and their directories; returns these files. */
function prune(folder: string, files: ReadonlyMap<string, PlacedFile>): ReadonlyMap<string, PlacedFile> {
  const left = new Map<string, PlacedFile>();
  const pruneBelow = (directory: string): boolean => {
    chmodSync(join(folder, directory), usualMode);
    let isEmpty = true;
    for (const entry of readdirSync(join(folder, directory), {withFileTypes: true})) {
      const path = `${directory}/${entry.name}`;
      const file = entry.isFile() ? files.get(path) : undefined;
      const isLeft = entry.isDirectory()
        ? pruneBelow(path)
        : file !== undefined && markOf(join(folder, path)) === file.mark;
      if (isLeft && file !== undefined) left.set(path, file);
      if (isLeft) isEmpty = false;
      else rmSync(join(folder, path), {recursive: true});
    }
    return !isEmpty;
  };
  pruneBelow('');
  return left;
}

const usualMode = 0o755;

function markOf(path: string): string {
  const {ino, ctimeNs} = lstatSync(path, {bigint: true});
  return `${ino} ${ctimeNs}`;
}
