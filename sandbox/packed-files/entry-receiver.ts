// Receives entries, and writes their contents where the caller wants them.
import {closeSync, openSync, writeSync} from 'node:fs';
import type {PackedEntry} from './packed-entry.ts';

export interface ReceivedEntry {
  readonly entry: PackedEntry;
  /** Of a file: where its content was written. */
  readonly at: string;
}

/** Writes the content with this digest to a path that does not exist; throws if it does not have it. */
export type CopyContent = (sha256: string, at: string) => void;

export class EntryReceiver {
  readonly #place: (entry: PackedEntry) => string;
  readonly #copyContent: CopyContent | undefined;
  readonly #received: ReceivedEntry[] = [];
  #open: {readonly fd: number; left: number} | undefined;

  /** `place`: a path that does not exist, for the content of a file. `copyContent`: where contents can arrive separately. */
  constructor(place: (entry: PackedEntry) => string, copyContent?: CopyContent) {
    this.#place = place;
    this.#copyContent = copyContent;
  }

  /** Throws if the content of the entry before is incomplete. */
  entry(entry: PackedEntry): void {
    if (this.#open !== undefined) throw new RangeError('the content of a file is incomplete');
    const at = entry.kind === 'file' ? this.#place(entry) : '';
    this.#received.push({entry, at});
    if (entry.kind !== 'file') return;
    if (entry.sha256 !== undefined) return this.#copy(entry.sha256, at);
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

  #copy(sha256: string, at: string): void {
    if (this.#copyContent === undefined) throw new RangeError('the content of a file is missing');
    this.#copyContent(sha256, at);
  }

  #closeIfWhole(): void {
    if (this.#open?.left === 0) this.close();
  }
}
