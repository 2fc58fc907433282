// The Merkle tree of RFC 6962, section 2.1, built leaf by leaf. It keeps only the roots of complete subtrees: a few dozen hashes for
// a log of any length.

/** SHA-256 of some bytes. */
export type HashBytes = (bytes: Uint8Array) => Uint8Array;

/** The hash of a leaf: the prefix 0x00 keeps leaves and nodes apart; `bytes` may lend one more than the leaf has. */
export function leafHash(
  hash: HashBytes,
  leaf: Uint8Array,
  bytes: Uint8Array = new Uint8Array(leaf.length + 1),
): Uint8Array {
  bytes[0] = 0;
  bytes.set(leaf, 1);
  return hash(bytes);
}

/** The hash of an inner node over its two children; `bytes` may lend 65 bytes to work in. */
export function nodeHash(
  hash: HashBytes,
  left: Uint8Array,
  right: Uint8Array,
  bytes: Uint8Array = new Uint8Array(65),
): Uint8Array {
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 33);
  return hash(bytes);
}

/** A tree's size and the roots of its complete subtrees, largest first: enough to grow it and to know its root. */
export interface CompactRange {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

/** Called with the root of a complete subtree of 2^level leaves. */
export type VisitSubtree = (level: number, hash: Uint8Array) => void;

export class MerkleTree {
  #size: number;
  readonly #hashes: Uint8Array[];
  readonly #hash: HashBytes;
  #leaf = new Uint8Array();
  readonly #node = new Uint8Array(65);

  constructor(hash: HashBytes, from: CompactRange = {size: 0, hashes: []}) {
    this.#hash = hash;
    this.#size = from.size;
    this.#hashes = [...from.hashes];
  }

  /** Whether there are as many hashes as a tree of this size has complete subtrees. */
  static isRange({size, hashes}: CompactRange): boolean {
    let count = 0;
    for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
    return count === hashes.length;
  }

  get size(): number {
    return this.#size;
  }

  /** Appends a leaf by its bytes. Calls `visit` for each subtree that this completes, from the leaf up. */
  append(leaf: Uint8Array, visit?: VisitSubtree): void {
    if (this.#leaf.length !== leaf.length + 1) this.#leaf = new Uint8Array(leaf.length + 1);
    let right = leafHash(this.#hash, leaf, this.#leaf);
    visit?.(0, right);
    for (let size = this.#size, level = 1; size % 2 === 1; size = Math.floor(size / 2), level += 1) {
      const left = this.#hashes.pop();
      if (left !== undefined) right = nodeHash(this.#hash, left, right, this.#node);
      visit?.(level, right);
    }
    this.#hashes.push(right);
    this.#size += 1;
  }

  /** The root; that of the empty tree is the hash of no bytes. */
  root(): Uint8Array {
    const [last, ...others] = this.#hashes.toReversed();
    if (last === undefined) return this.#hash(new Uint8Array(0));
    return others.reduce((right, left) => nodeHash(this.#hash, left, right), last);
  }

  range(): CompactRange {
    return {size: this.#size, hashes: [...this.#hashes]};
  }
}
