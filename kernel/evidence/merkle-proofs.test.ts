import {createHash} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {decodeHex, encodeHex} from './hex.ts';
import {consistencyPath, inclusionPath, isConsistent, isIncluded, type SubtreeHashes} from './merkle-proofs.ts';
import {leafHash, MerkleTree, nodeHash} from './merkle-tree.ts';

const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** The leaves and paths of the test vectors of the Certificate Transparency project. */
const vectors = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => decodeHex(hex) ?? new Uint8Array());

const numbered = (count: number): Uint8Array[] =>
  Array.from({length: count}, (_, index) => Uint8Array.of(index, index >> 8));

function subtrees(leaves: readonly Uint8Array[]): SubtreeHashes {
  const at = (level: number, index: number): Uint8Array => {
    const leaf = leaves[index];
    if (level > 0) return nodeHash(hash, at(level - 1, index * 2), at(level - 1, index * 2 + 1));
    if (leaf === undefined) throw new Error(`leaf ${index} does not exist`);
    return leafHash(hash, leaf);
  };
  return {hash, at};
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const tree = new MerkleTree(hash);
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}

function flipped(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes, (byte, index) => (index === 7 ? byte ^ 16 : byte));
}

describe('inclusion', () => {
  test.each<[number, number, string[]]>([
    [0, 1, []],
    [
      0,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      5,
      8,
      [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  ])('of leaf %d in a tree of %d is proven as by others', (index, size, path) => {
    expect(inclusionPath(index, size, subtrees(vectors)).map(encodeHex)).toEqual(path);
  });

  test('is proven for every leaf of every tree, and for no other leaf, place, size or root', () => {
    const leaves = numbered(35);
    const hashes = subtrees(leaves);
    for (let size = 1; size <= leaves.length; size += 1) {
      const root = rootOf(leaves.slice(0, size));
      for (let index = 0; index < size; index += 1) {
        const path = inclusionPath(index, size, hashes);
        const claim = {leafHash: hashes.at(0, index), index, size, path, root};
        expect(isIncluded(hash, claim)).toBe(true);
        const wrong = [
          {index: index + 1},
          {index: index - 1},
          {index: index + size},
          {root: flipped(root)},
          {leafHash: flipped(claim.leafHash)},
          {path: [...path, root]},
          {path: path.slice(1)},
          {path: path.map(flipped)},
          {index: Number.NaN},
          {index: 0.5},
        ].filter(({path: other}) => other === undefined || size > 1 || other.length > 0);
        for (const change of wrong) expect(isIncluded(hash, {...claim, ...change}), `${index} of ${size}`).toBe(false);
      }
    }
  });

  test('of a leaf that is not there cannot be asked', () => {
    for (const index of [-1, 3]) expect(() => inclusionPath(index, 3, subtrees(vectors))).toThrow(RangeError);
  });
});

describe('consistency', () => {
  test.each<[number, number, string[]]>([
    [1, 1, []],
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('of trees of %d and %d is proven as by others', (from, size, path) => {
    expect(consistencyPath(from, size, subtrees(vectors)).map(encodeHex)).toEqual(path);
  });

  test('is proven for every beginning of every tree, and not for another', () => {
    const leaves = numbered(35);
    for (let size = 0; size <= leaves.length; size += 1) {
      for (let from = 0; from <= size; from += 1) {
        const path = consistencyPath(from, size, subtrees(leaves));
        const older = {size: from, root: rootOf(leaves.slice(0, from))};
        const claim = {from: older, to: {size, root: rootOf(leaves.slice(0, size))}, path};
        expect(isConsistent(hash, claim)).toBe(true);
        expect(isConsistent(hash, {...claim, from: {...older, root: flipped(older.root)}})).toBe(false);
        expect(isConsistent(hash, {...claim, path: [...path, older.root]})).toBe(false);
        if (from === 0 || from === size) continue;
        expect(isConsistent(hash, {...claim, to: {size, root: flipped(claim.to.root)}})).toBe(false);
        expect(isConsistent(hash, {...claim, path: path.map(flipped)})).toBe(false);
        expect(isConsistent(hash, {...claim, path: path.slice(1)})).toBe(false);
        expect(isConsistent(hash, {...claim, from: {...older, size: size + 1}})).toBe(false);
      }
    }
    expect(() => consistencyPath(4, 3, subtrees(leaves))).toThrow(RangeError);
  });

  test('of a tree with any changed older leaf cannot be made', () => {
    fc.assert(
      fc.property(fc.integer({min: 2, max: 60}), fc.nat(), fc.nat(), (size, a, b) => {
        const from = 1 + (a % (size - 1));
        const leaves = numbered(size);
        const changed = leaves.map((leaf, index) => (index === b % from ? Uint8Array.of(255) : leaf));
        const older = {size: from, root: rootOf(leaves.slice(0, from))};
        const to = {size, root: rootOf(changed)};
        expect(isConsistent(hash, {from: older, to, path: consistencyPath(from, size, subtrees(leaves))})).toBe(false);
        expect(isConsistent(hash, {from: older, to, path: consistencyPath(from, size, subtrees(changed))})).toBe(false);
      }),
    );
  });
});
