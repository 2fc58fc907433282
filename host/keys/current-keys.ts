// The keys of a running worker: read again when their folder changes. None if one of them is unusable, so that the worker accepts no
// request until `lumenflow worker key`, which reports the reason, succeeds.
import {statSync} from 'node:fs';
import {readKeys, type OwnKey} from './key-folder.ts';

export class CurrentKeys {
  readonly #folder: string;
  #version = '';
  #keys: readonly OwnKey[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As they are now. */
  keys(): readonly OwnKey[] {
    const stat = statSync(this.#folder, {bigint: true, throwIfNoEntry: false});
    const version = stat === undefined ? '' : [stat.ino, stat.ctimeNs].join(' ');
    if (version !== this.#version) {
      const read = readKeys(this.#folder);
      this.#keys = read.ok ? read.value : [];
      this.#version = version;
    }
    return this.#keys;
  }
}
