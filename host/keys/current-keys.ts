// The keys of a running worker: read again when their folder changes. None if one of them is unusable, so that the worker accepts no
// request until `lumenflow worker key`, which reports the reason, succeeds.
import {statSync} from 'node:fs';
import {readKeys, type OwnKey} from './key-folder.ts';

const tickMs = 50;

export class CurrentKeys {
  readonly #folder: string;
  readonly #now: () => number;
  #version: string | undefined = '';
  #keys: readonly OwnKey[] = [];

  /** `now`: milliseconds since the epoch. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /** As they are now. */
  keys(): readonly OwnKey[] {
    const stat = statSync(this.#folder, {bigint: true, throwIfNoEntry: false});
    const version = stat === undefined ? '' : [stat.ino, stat.ctimeNs].join(' ');
    if (version === this.#version) return this.#keys;
    const read = readKeys(this.#folder);
    this.#keys = read.ok ? read.value : [];
    // Two changes within one tick of the file system's clock leave the same time: the next request reads the keys again.
    const isSettled = stat === undefined || Math.abs(this.#now() - Number(stat.ctimeMs)) > tickMs;
    this.#version = isSettled ? version : undefined;
    return this.#keys;
  }
}
