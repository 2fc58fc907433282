import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {encodeHex, inclusionPath, isIncluded, leafHash, MerkleTree, nodeHash} from '@lumenflow/kernel';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sha256Bytes} from '../system/sha256.ts';
import {tilePath, TreeTiles} from './tree-tiles.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-tiles-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const leafOf = (index: number): Uint8Array => Buffer.from(String(index));

function grow(tree: MerkleTree, tiles: TreeTiles, size: number): void {
  while (tree.size < size) tree.append(leafOf(tree.size), (level, hash) => tiles.add(level, hash));
}

test('tiles are found by level and number, as C2SP tlog-tiles has it', () => {
  const paths = [tilePath('', 0, 0), tilePath('', 2, 67), tilePath('', 0, 1_000), tilePath('', 1, 1_234_067)];
  expect(paths).toEqual(['tile/0/000', 'tile/2/067', 'tile/0/x001/000', 'tile/1/x001/x234/067']);
});

test('a tile of a level above holds the roots of the tiles below', async () => {
  const [tree, tiles] = [new MerkleTree(sha256Bytes), new TreeTiles(folder)];
  grow(tree, tiles, 66_000);
  expect(tiles.unwritten).toBe(257 + 1);
  await tiles.keep();
  expect(tiles.unwritten).toBe(0);
  expect(statSync(tilePath(folder, 0, 256)).size).toBe(8_192);
  const upper = readFileSync(tilePath(folder, 1, 0));
  expect(encodeHex(upper.subarray(32, 64))).toBe(encodeHex(tiles.at(8, 1)));
  const [left, right] = [tiles.at(15, 0), tiles.at(15, 1)];
  expect(encodeHex(tiles.at(16, 0))).toBe(encodeHex(nodeHash(sha256Bytes, left, right)));
  for (const index of [0, 255, 256, 65_535, 65_536, 65_999]) {
    const path = inclusionPath(index, 66_000, {hash: sha256Bytes, at: (level, at) => tiles.at(level, at)});
    const claim = {leafHash: leafHash(sha256Bytes, leafOf(index)), index, size: 66_000, path, root: tree.root()};
    expect(isIncluded(sha256Bytes, claim)).toBe(true);
  }
});

test('tiles go on from what was kept, at any size, and from nothing else', async () => {
  for (const size of [0, 1, 255, 256, 257, 700]) {
    const [tree, tiles] = [new MerkleTree(sha256Bytes), new TreeTiles(folder)];
    grow(tree, tiles, size);
    await tiles.keep();
    const resumed = new TreeTiles(folder);
    const state: unknown = JSON.parse(JSON.stringify(tiles.state()));
    for (const wrong of [undefined, 'x', [], ['AAAA'], [7, 7, 7]]) {
      if (size > 0) expect(resumed.restore(wrong, size)).toBe(false);
    }
    expect(resumed.restore(state, size + 1)).toBe(false);
    expect(resumed.restore(state, size)).toBe(true);
    grow(tree, resumed, 1_100);
    await resumed.keep();
    const at = (level: number, index: number): Uint8Array => resumed.at(level, index);
    const path = inclusionPath(3, 1_100, {hash: sha256Bytes, at});
    const claim = {leafHash: leafHash(sha256Bytes, leafOf(3)), index: 3, size: 1_100, path, root: tree.root()};
    expect(isIncluded(sha256Bytes, claim)).toBe(true);
    resumed.clear();
    expect(() => resumed.at(0, 0)).toThrow(RangeError);
  }
});
