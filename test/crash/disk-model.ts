// A model of a disk for crashes. Writes are visible immediately, and synced writes survive a loss of power. Of later writes, any prefix
// may survive, with its last write torn. A folder's names are its content, and survive after a sync of the folder. Folders
// themselves always survive, as in journaling file systems.
import {dirname} from 'node:path';
import type {FileOperation} from './file-operation.ts';

type Change = {readonly offset: number; readonly bytes: Buffer} | {readonly cutTo: number};

/** Something that changed, and how many of its changes, the first ones, are on disk for sure. */
interface Journal<T> {
  readonly changes: T[];
  durable: number;
}

interface Inode extends Journal<Change> {}

type Entry = {readonly inode: Inode} | {readonly target: string};
/** Names that are created, or moved to a free name, atomically. */
type NameChange = readonly (readonly [name: string, entry: Entry | undefined])[];

export interface DiskImage {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
  readonly links: ReadonlyMap<string, string>;
}

/** Of a number of changes that may be lost, how many survive. */
export type Survival = (unsynced: number) => number;
/** The fate of the first lost write: its first bytes survive and the file has its new size, or neither. */
export type Tear = (offset: number, bytes: Buffer) => {readonly first: number; readonly grows: boolean} | undefined;

export class DiskModel {
  readonly #folders = new Map<string, Journal<NameChange>>();
  readonly #open = new Map<number, Inode | Journal<NameChange>>();
  /** For each sync under way, how many changes it will bring to disk. */
  readonly #syncing = new Map<number, number[]>();

  /** A sync covers what was written before it began. */
  beginSync(handle: number): void {
    this.#syncing.set(handle, [...(this.#syncing.get(handle) ?? []), this.#open.get(handle)?.changes.length ?? 0]);
  }

  apply(operation: FileOperation): void {
    switch (operation.kind) {
      case 'mkdir':
        for (let path = operation.path; !this.#folders.has(path) && path !== dirname(path); path = dirname(path)) {
          this.#folders.set(path, {changes: [], durable: 0});
        }
        return;
      case 'open':
        return this.#openFile(operation);
      case 'write':
        return void this.#inode(operation.handle).changes.push({offset: operation.offset, bytes: operation.bytes});
      case 'truncate':
        return void this.#inode(operation.handle).changes.push({cutTo: operation.length});
      case 'sync':
        return this.#endSync(operation.handle);
      case 'link':
        return this.#name(operation.path, [[operation.path, this.#entry(operation.from)]]);
      case 'rename':
        return this.#name(operation.path, [
          [operation.path, this.#entry(operation.from)],
          [operation.from, undefined],
        ]);
      case 'unlink':
        return this.#name(operation.path, [[operation.path, undefined]]);
      case 'symlink':
        return this.#name(operation.path, [[operation.path, {target: operation.target}]]);
      case 'read':
        return;
      default:
        operation satisfies never;
    }
  }

  /** What is found after a crash; without a survival everything written is, as when only the process died. */
  image(survival: Survival = (unsynced) => unsynced, tear: Tear = () => undefined): DiskImage {
    const files = new Map<string, Buffer>();
    const links = new Map<string, string>();
    const contents = new Map<Inode, Buffer>();
    for (const folder of this.#folders.values()) {
      for (const [path, entry] of namesOf(folder.changes.slice(0, survivors(folder, survival)))) {
        if ('target' in entry) {
          links.set(path, entry.target);
          continue;
        }
        const known = contents.get(entry.inode) ?? contentOf(entry.inode, survival, tear);
        contents.set(entry.inode, known);
        files.set(path, known);
      }
    }
    return {folders: [...this.#folders.keys()], files, links};
  }

  /** After a write that is only partly done. */
  imageWith(write: Extract<FileOperation, {kind: 'write'}>): DiskImage {
    const {changes} = this.#inode(write.handle);
    changes.push({offset: write.offset, bytes: write.bytes});
    const image = this.image();
    changes.pop();
    return image;
  }

  /** Whether there is anything that a loss of power could take. */
  hasUnsynced(): boolean {
    const journals = [...this.#folders.values(), ...this.#inodes()];
    return journals.some(({changes, durable}) => changes.length > durable);
  }

  #inodes(): readonly Inode[] {
    const entries = [...this.#folders.values()].flatMap(({changes}) => [...namesOf(changes).values()]);
    return entries.flatMap((entry) => ('inode' in entry ? entry.inode : []));
  }

  #openFile({path, handle, creates, empties}: Extract<FileOperation, {kind: 'open'}>): void {
    const folder = this.#folders.get(path);
    if (folder !== undefined) return void this.#open.set(handle, folder);
    if (creates) this.#name(path, [[path, {inode: {changes: [], durable: 0}}]]);
    const entry = this.#entry(path);
    if (!('inode' in entry)) throw new Error(`\`${path}\` is not a file`);
    if (empties) entry.inode.changes.push({cutTo: 0});
    this.#open.set(handle, entry.inode);
  }

  #endSync(handle: number): void {
    const journal = this.#open.get(handle);
    const covered = this.#syncing.get(handle)?.shift();
    if (journal === undefined || covered === undefined) throw new Error('a file was synced that is not open');
    journal.durable = Math.max(journal.durable, covered);
  }

  #inode(handle: number): Inode {
    const inode = this.#open.get(handle);
    if (inode === undefined) throw new Error('a file was written that is not open');
    return inode as Inode;
  }

  #name(path: string, change: NameChange): void {
    const folder = this.#folders.get(dirname(path));
    if (folder === undefined) throw new Error(`\`${path}\` came to be in a folder that is not there`);
    folder.changes.push(change);
  }

  #entry(path: string): Entry {
    const entry = namesOf(this.#folders.get(dirname(path))?.changes ?? []).get(path);
    if (entry === undefined) throw new Error(`\`${path}\` was used and is not there`);
    return entry;
  }
}

function namesOf(changes: readonly NameChange[]): ReadonlyMap<string, Entry> {
  const names = new Map<string, Entry>();
  for (const [path, entry] of changes.flat()) {
    if (entry === undefined) names.delete(path);
    else names.set(path, entry);
  }
  return names;
}

function survivors({changes, durable}: Journal<unknown>, survival: Survival): number {
  return durable + survival(changes.length - durable);
}

function contentOf(inode: Inode, survival: Survival, tear: Tear): Buffer {
  const count = survivors(inode, survival);
  const surviving = inode.changes.slice(0, count);
  const lost = inode.changes[count];
  if (lost !== undefined && 'bytes' in lost) {
    const {offset, bytes} = lost;
    const torn = tear(offset, bytes);
    if (torn !== undefined) surviving.push({offset, bytes: bytes.subarray(0, torn.first)});
    if (torn?.grows === true) surviving.push({offset: offset + bytes.length, bytes: bytes.subarray(bytes.length)});
  }
  const ends = surviving.map((change) => ('cutTo' in change ? change.cutTo : change.offset + change.bytes.length));
  // Unwritten bytes are zeros.
  const content = Buffer.alloc(Math.max(0, ...ends));
  let size = 0;
  for (const change of surviving) {
    if ('cutTo' in change) {
      content.fill(0, change.cutTo);
      size = change.cutTo;
    } else {
      change.bytes.copy(content, change.offset);
      size = Math.max(size, change.offset + change.bytes.length);
    }
  }
  return content.subarray(0, size);
}
