// Tracks the watched files and which of them are open, and reports operations on them to the watcher.
import fs from 'node:fs';
import {sep} from 'node:path';
import type {FileOperation, FileSystemTap, Watcher} from './file-operation.ts';

interface OpenFile {
  readonly handle: number;
  readonly appends: boolean;
  position: number;
}

export class WatchedFiles implements FileSystemTap {
  #watcher: Watcher | undefined;
  #handles = 0;
  readonly #open = new Map<number, OpenFile>();
  /** Operations inside one of Node's own functions belong to that function. */
  #inside = false;

  watch(watcher: Watcher): () => void {
    if (this.#watcher !== undefined) throw new Error('somebody watches already');
    this.#watcher = watcher;
    return () => {
      this.#watcher = undefined;
      this.#open.clear();
    };
  }

  isWatched(path: unknown): path is string {
    const root = this.#watcher?.root;
    return (
      !this.#inside && root !== undefined && typeof path === 'string' && (path === root || path.startsWith(root + sep))
    );
  }

  fileOf(fd: unknown): OpenFile | undefined {
    return this.#watcher === undefined || this.#inside ? undefined : this.#open.get(Number(fd));
  }

  before(operation: FileOperation): number | undefined {
    return this.#watcher?.before(operation);
  }

  after(operation: FileOperation): void {
    this.#watcher?.after(operation);
  }

  /** What opening a file will do; `flags` as Node takes them. */
  opening(path: string, flags: unknown): Extract<FileOperation, {kind: 'open'}> {
    const {O_CREAT, O_TRUNC} = fs.constants;
    const creating = typeof flags === 'number' ? (flags & O_CREAT) !== 0 : /[wa]/u.test(String(flags));
    const empties = typeof flags === 'number' ? (flags & O_TRUNC) !== 0 : String(flags).startsWith('w');
    const exists = this.within(() => fs.existsSync(path));
    this.#handles += 1;
    return {kind: 'open', path, handle: this.#handles, creates: creating && !exists, empties: empties && exists};
  }

  opened(fd: number, {handle}: {readonly handle: number}, flags: unknown): void {
    this.#open.set(fd, {handle, appends: String(flags).startsWith('a'), position: 0});
  }

  closed(fd: number): void {
    this.#open.delete(fd);
  }

  within<T>(work: () => T): T {
    const before = this.#inside;
    this.#inside = true;
    try {
      return work();
    } finally {
      this.#inside = before;
    }
  }

  /** Does one thing, with the watcher before and after it. */
  through<T>(operation: FileOperation, work: () => T): T {
    this.before(operation);
    const result = this.within(work);
    this.after(operation);
    return result;
  }
}
