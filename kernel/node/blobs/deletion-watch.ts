// Which contents a rule may have deleted after a process stored them, and before it recorded them. A file of one byte for each step of a
// deletion, written under the workspace's lock, informs other processes.
import {appendFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {BlobLocation} from './blob-ref.ts';

/** As many files as are remembered; the others are read. */
const filesMax = 10_000;

interface End {
  readonly name: string;
  readonly size: number;
}

export class DeletionWatch {
  readonly #path: string;
  #seen: number;
  /** What was stored after the newest step; undefined if there was none since this process started. */
  #fresh: {readonly end: End | undefined; readonly packs: Set<string>; readonly files: Set<string>} | undefined;

  constructor(folder: string) {
    this.#path = join(folder, 'deletions');
    this.#seen = sizeOf(this.#path);
  }

  /** Whether a content that is stored now must be checked before it is recorded. */
  get hasSeen(): boolean {
    return this.#fresh !== undefined;
  }

  /** Under the workspace's lock: begins a step. `end` is where the next content is stored. */
  announce(end: End | undefined): void {
    appendFileSync(this.#path, '.', {mode: 0o600});
    this.#begin(end);
  }

  /** Under the workspace's lock. Returns whether others began a step since the last time. */
  notice(end: End | undefined): boolean {
    if (sizeOf(this.#path) === this.#seen) return false;
    this.#begin(end);
    return true;
  }

  /** A pack or a file that this process created. */
  created(kind: 'pack' | 'file', name: string): void {
    if (kind === 'pack') this.#fresh?.packs.add(name);
    else if (this.#fresh !== undefined && this.#fresh.files.size < filesMax) this.#fresh.files.add(name);
  }

  /** Whether this process stored it after the newest step that it knows of, which therefore did not delete it. */
  isFresh(location: BlobLocation): boolean {
    if (this.#fresh === undefined) return true;
    const {end, packs, files} = this.#fresh;
    if (location.kind === 'file') return files.has(location.hash);
    return packs.has(location.pack) || (location.pack === end?.name && location.offset >= end.size);
  }

  #begin(end: End | undefined): void {
    this.#seen = sizeOf(this.#path);
    this.#fresh = {end, packs: new Set(), files: new Set()};
  }
}

function sizeOf(path: string): number {
  return statSync(path, {throwIfNoEntry: false})?.size ?? 0;
}
