// Receives entries, and writes their contents where the caller wants them.
import {closeSync, openSync, writeSync} from 'node:fs';
import type {PackedEntry} from './packed-entry.ts';

export interface ReceivedEntry {
  readonly entry: PackedEntry;
  /** Of a file: where its content was written. */
  readonly at: string;
}

export class EntryReceiver {
  readonly #place: (entry: PackedEntry) => string;
  readonly #received: ReceivedEntry[] = [];
  #open: {readonly fd: number; left: number} | undefined;

  /** `place`: a path that does not exist, for the content of a file. */
  constructor(place: (entry: PackedEntry) => string) {
    this.#place = place;
  }

  /** Throws if the content of the entry before is incomplete. */
  entry(entry: PackedEntry): void {
    if (this.#open !== undefined) throw new RangeError('the content of a file is incomplete');
    const at = entry.kind === 'file' ? this.#place(entry) : '';
    this.#received.push({entry, at});
    if (entry.kind !== 'file') return;
    this.#open = {fd: openSync(at, 'wx', 0o600), left: entry.size};
    this.#closeIfWhole();
  }

  /** Throws if it is more than was announced. */
  content(bytes: Uint8Array): void {
    if (this.#open === undefined || bytes.length > this.#open.left) throw new RangeError('content of no file arrived');
    writeSync(this.#open.fd, bytes);
    this.#open.left -= bytes.length;
    this.#closeIfWhole();
  }

  /** Those that have arrived since the last time. */
  take(): readonly ReceivedEntry[] {
    if (this.#open !== undefined) throw new RangeError('the content of a file is incomplete');
    return this.#received.splice(0);
  }

  /** Even if the content of a file is incomplete. */
  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
  }

  #closeIfWhole(): void {
    if (this.#open?.left === 0) this.close();
  }
}
