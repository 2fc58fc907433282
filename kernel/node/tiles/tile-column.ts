// One level of a published tree, or its entries: files of 256 items, written as they fill.
import {tileHashes} from '../signed-log/tile-file.ts';
import {tilePath} from './tile-path.ts';

/** Writes a file whole. */
export type WriteFile = (path: string, bytes: Buffer) => void;

export class TileColumn {
  readonly #level: number | 'entries';
  readonly #write: WriteFile;
  #items: Uint8Array[] = [];
  #full = 0;

  constructor(level: number | 'entries', write: WriteFile) {
    this.#level = level;
    this.#write = write;
  }

  add(item: Uint8Array): void {
    this.#items.push(item);
    if (this.#items.length < tileHashes) return;
    this.finish();
    this.#items = [];
    this.#full += 1;
  }

  /** Writes the file that is not full, if there is one. */
  finish(): void {
    const width = this.#items.length;
    if (width > 0) this.#write(tilePath({level: this.#level, index: this.#full, width}), Buffer.concat(this.#items));
  }
}
