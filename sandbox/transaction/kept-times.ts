// Times that a change set does not list, of directories and symlinks. Applying changes sets the time of each directory on the
// way, and programs such as make, rsync and git compare them.
import {lutimesSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {openDirectoryOnce} from '../files/open-directory-once.ts';
import {parentSegments} from '../files/open-directory.ts';
import type {Change} from './change.ts';
import type {Entry} from './entry.ts';
import {fileTime} from './file-time.ts';

/** Nanoseconds since the epoch, by path relative to the workspace root. */
export type KeptTimes = ReadonlyMap<string, bigint>;

export interface TimedEntry {
  readonly path: string;
  /** In the workspace; undefined for what the call created. */
  readonly before: Entry | undefined;
  readonly after: Entry;
}

/** The times in the view, except for what somebody else has changed since the call began. */
export class TimesInView {
  readonly #times = new Map<string, bigint>();
  /** Times that are the same in the workspace. */
  readonly #same = new Set<string>();
  readonly #startNs: bigint | undefined;

  constructor(startNs: bigint | undefined) {
    this.#startNs = startNs;
  }

  note({path, before, after}: TimedEntry): void {
    if (path === '' || after.kind === 'file') return;
    const isOurs = before === undefined || this.#startNs === undefined || before.mtimeNs < this.#startNs;
    if (!isOurs) return;
    this.#times.set(path, after.mtimeNs);
    if (before?.mtimeNs === after.mtimeNs) this.#same.add(path);
  }

  /** Whether the view shows the time that the directory has in the workspace. */
  isUntouched(directory: string): boolean {
    return this.#same.has(directory);
  }

  /** Those to set once the changes are applied. */
  after(changes: readonly Change[]): KeptTimes {
    const directories = new Set(changes.map(({path}) => dirname(path)));
    return new Map([...this.#times].filter(([path]) => !this.#same.has(path) || directories.has(path)));
  }
}

/** Set them last: each entry that appears or disappears changes its directory's time. */
export function setTimes(root: string, times: Iterable<readonly [path: string, time: bigint]>): void {
  for (const [path, time] of times) {
    const seconds = fileTime(time);
    try {
      const directory = openDirectoryOnce(root, parentSegments(path));
      try {
        lutimesSync(directory.child(basename(path)), seconds, seconds);
      } finally {
        directory.close();
      }
    } catch {
      // It was moved, or belongs to somebody else. Then the time of the change applies, as for all changes by others.
    }
  }
}
