// Proofs over the Merkle tree of RFC 6962, section 2.1: that a leaf is in a tree, and that one tree extends another. Making them
// needs only the roots of complete subtrees. Verification follows RFC 9162, sections 2.1.3 and 2.1.4.
import {nodeHash, type HashBytes} from './merkle-tree.ts';

export interface SubtreeHashes {
  readonly hash: HashBytes;
  /** The root of the complete subtree over leaves `index * 2^level` to `(index + 1) * 2^level - 1`. */
  readonly at: (level: number, index: number) => Uint8Array;
}

/** What is hashed together with a leaf, from the leaf up, to give the root of the tree over the first `size` leaves. */
export function inclusionPath(index: number, size: number, hashes: SubtreeHashes): readonly Uint8Array[] {
  if (index < 0 || index >= size) throw new RangeError(`leaf ${index} is not in a tree of ${size}`);
  const path: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    const isLeft = index < middle;
    path.push(isLeft ? rootOf(middle, end, hashes) : rootOf(start, middle, hashes));
    if (isLeft) end = middle;
    else start = middle;
  }
  return path.toReversed();
}

/** What shows that the tree over the first `from` leaves is the beginning of that over the first `size`. */
export function consistencyPath(from: number, size: number, hashes: SubtreeHashes): readonly Uint8Array[] {
  if (from < 0 || from > size)
    throw new RangeError(`a tree of ${from} leaves is not a prefix of a tree of ${size} leaves`);
  if (from === 0) return [];
  const path: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end > from) {
    const middle = start + split(end - start);
    const isLeft = from <= middle;
    path.push(isLeft ? rootOf(middle, end, hashes) : rootOf(start, middle, hashes));
    if (isLeft) end = middle;
    else start = middle;
  }
  // The proof omits the older tree's root, which the verifier has.
  if (start > 0) path.push(rootOf(start, end, hashes));
  return path.toReversed();
}

export interface InclusionClaim {
  /** RFC 6962's hash of the leaf. */
  readonly leafHash: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
}

export function isIncluded(hash: HashBytes, {leafHash, index, size, path, root}: InclusionClaim): boolean {
  if (!isSize(index) || !isSize(size) || index >= size) return false;
  const walk = new Walk(index, size - 1);
  let node = leafHash;
  for (const sibling of path) {
    if (walk.isAtRoot) return false;
    node = walk.siblingIsLeft() ? nodeHash(hash, sibling, node) : nodeHash(hash, node, sibling);
  }
  return walk.isAtRoot && areSame(node, root);
}

export interface ConsistencyClaim {
  readonly from: {readonly size: number; readonly root: Uint8Array};
  readonly to: {readonly size: number; readonly root: Uint8Array};
  readonly path: readonly Uint8Array[];
}

export function isConsistent(hash: HashBytes, {from, to, path}: ConsistencyClaim): boolean {
  if (!isSize(from.size) || !isSize(to.size) || from.size > to.size) return false;
  if (from.size === 0) return path.length === 0 && areSame(from.root, hash(new Uint8Array(0)));
  if (from.size === to.size) return path.length === 0 && areSame(from.root, to.root);
  const isComplete = 2 ** Math.floor(Math.log2(from.size)) === from.size;
  const [first, ...others] = isComplete ? [from.root, ...path] : path;
  if (first === undefined) return false;
  const walk = new Walk(from.size - 1, to.size - 1);
  walk.climbToLeftChild();
  let [older, newer] = [first, first];
  for (const sibling of others) {
    if (walk.isAtRoot) return false;
    if (walk.siblingIsLeft()) {
      older = nodeHash(hash, sibling, older);
      newer = nodeHash(hash, sibling, newer);
    } else {
      newer = nodeHash(hash, newer, sibling);
    }
  }
  return walk.isAtRoot && areSame(older, from.root) && areSame(newer, to.root);
}

/** A node on its way up, and the last node of its level. Division, not shifts: sizes may pass 2^31. */
class Walk {
  #node: number;
  #last: number;

  constructor(node: number, last: number) {
    this.#node = node;
    this.#last = last;
  }

  get isAtRoot(): boolean {
    return this.#last === 0;
  }

  /** The side of the node on which the path's next hash is; moves up past it. */
  siblingIsLeft(): boolean {
    const isLeft = this.#node % 2 === 1 || this.#node === this.#last;
    // A last node without a sibling is its own parent.
    if (isLeft) while (this.#node % 2 === 0 && this.#node !== 0) this.#up();
    this.#up();
    return isLeft;
  }

  climbToLeftChild(): void {
    while (this.#node % 2 === 1) this.#up();
  }

  #up(): void {
    this.#node = Math.floor(this.#node / 2);
    this.#last = Math.floor(this.#last / 2);
  }
}

function rootOf(start: number, end: number, hashes: SubtreeHashes): Uint8Array {
  const count = end - start;
  const level = Math.floor(Math.log2(count));
  if (2 ** level === count) return hashes.at(level, start / count);
  const middle = start + split(count);
  return nodeHash(hashes.hash, rootOf(start, middle, hashes), rootOf(middle, end, hashes));
}

/** The largest power of two below a count of two or more. */
function split(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function areSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
