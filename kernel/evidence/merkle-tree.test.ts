import {createHash} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {encodeHex} from './hex.ts';
import {leafHash, MerkleTree, nodeHash} from './merkle-tree.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** The definition of RFC 6962, section 2.1, word by word. */
function rootByDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return sha256(new Uint8Array());
  if (leaves.length === 1) return sha256(Uint8Array.of(0, ...only));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(
    Uint8Array.of(1, ...rootByDefinition(leaves.slice(0, split)), ...rootByDefinition(leaves.slice(split))),
  );
}

function treeOf(leaves: readonly Uint8Array[]): MerkleTree {
  const tree = new MerkleTree(sha256);
  for (const leaf of leaves) tree.append(leaf);
  return tree;
}

/** Leaves and roots of the test vectors of the Certificate Transparency project. */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('RFC 6962', () => {
  test.each(roots.map((root, size) => [size, root] as const))('the root of %d leaves', (size, root) => {
    const tree = treeOf(leaves.slice(0, size).map((hex) => Buffer.from(hex, 'hex')));
    expect(encodeHex(tree.root())).toBe(root);
    expect(tree.size).toBe(size);
  });

  test('leaves and nodes cannot be taken for each other', () => {
    const [left, right] = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))];
    expect(leafHash(sha256, Uint8Array.of(...left, ...right))).not.toEqual(nodeHash(sha256, left, right));
  });

  test('any tree has the root that the definition gives', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({maxLength: 40}), {maxLength: 70}), (leaves) => {
        expect(encodeHex(treeOf(leaves).root())).toBe(encodeHex(rootByDefinition(leaves)));
      }),
    );
  });

  test('a tree continues from its compact range', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({maxLength: 8}), {maxLength: 40}), fc.nat(40), (leaves, at) => {
        const begun = treeOf(leaves.slice(0, at));
        expect(MerkleTree.isRange(begun.range())).toBe(true);
        const resumed = new MerkleTree(sha256, begun.range());
        for (const leaf of leaves.slice(at)) resumed.append(leaf);
        expect(encodeHex(resumed.root())).toBe(encodeHex(treeOf(leaves).root()));
      }),
    );
  });

  test('a range with too few or too many hashes is invalid', () => {
    const {hashes} = treeOf([Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)]).range();
    expect(hashes).toHaveLength(2);
    expect(MerkleTree.isRange({size: 3, hashes: hashes.slice(1)})).toBe(false);
    expect(MerkleTree.isRange({size: 4, hashes})).toBe(false);
  });
});
