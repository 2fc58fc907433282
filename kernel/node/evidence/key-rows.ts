// Finds the row of a key in a full block by a hash table of eight bytes for each call. The tables of all blocks are in memory, so a
// question about one call reads only the block of this call.
import type {Column} from './call-block.ts';

const word = 2 ** 32;

export class KeyRows {
  /** In each the row after it, below as much of the key as has room; 0 where nothing is. At least half are free. */
  readonly #slots: Uint32Array;
  readonly #rowBits: number;

  constructor(keys: Column) {
    this.#rowBits = Math.ceil(Math.log2(keys.length + 1));
    this.#slots = new Uint32Array(2 * keys.length + 1);
    for (const [row, key] of keys.entries()) {
      let at = this.#firstSlot(key);
      while (this.#slots[at] !== 0) at = this.#next(at);
      this.#slots[at] = this.#mark(key) + row + 1;
    }
  }

  /** The first row that may be the key's and that `isIt`; -1 when there is none. */
  find(key: number, isIt: (row: number) => boolean): number {
    const mark = this.#mark(key);
    for (let at = this.#firstSlot(key); ; at = this.#next(at)) {
      const slot = this.#slots[at] ?? 0;
      if (slot === 0) return -1;
      const row = slot - mark - 1;
      if (row >= 0 && row < 2 ** this.#rowBits && isIt(row)) return row;
    }
  }

  #firstSlot(key: number): number {
    return (key % word) % this.#slots.length;
  }

  #next(slot: number): number {
    return slot + 1 === this.#slots.length ? 0 : slot + 1;
  }

  #mark(key: number): number {
    return (Math.floor(key / word) << this.#rowBits) >>> 0;
  }
}
