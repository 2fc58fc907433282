import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {encodeHex, inclusionPath, isIncluded, leafHash, MerkleTree, nodeHash} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createFailingDisk} from '../log/failing-disk.fixture.ts';
import {nodeFileOperations} from '../log/file-operations.ts';
import {sha256Bytes} from '../system/sha256.ts';
import {tileBytes, tileFilePath} from './tile-file.ts';
import {TreeTiles} from './tree-tiles.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-tiles-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

/** A tree and its tiles as one process has them. */
interface Grown {
  readonly tree: MerkleTree;
  readonly tiles: TreeTiles;
}

const leafOf = (index: number): Uint8Array => Buffer.from(String(index));

function begin(files = nodeFileOperations): Grown {
  return {tree: new MerkleTree(sha256Bytes), tiles: new TreeTiles({tileFolder: folder, files})};
}

function grow({tree, tiles}: Grown, size: number): void {
  while (tree.size < size) tree.append(leafOf(tree.size), (level, hash) => tiles.add(level, hash));
}

function expectProven({tree, tiles}: Grown, indexes: readonly number[]): void {
  const at = (level: number, index: number): Uint8Array => tiles.at(level, index);
  for (const index of indexes) {
    const path = inclusionPath(index, tree.size, {hash: sha256Bytes, at});
    const claim = {leafHash: leafHash(sha256Bytes, leafOf(index)), index, size: tree.size, path, root: tree.root()};
    expect(isIncluded(sha256Bytes, claim), `leaf ${index} of ${tree.size}`).toBe(true);
  }
}

const level0 = (): string => tileFilePath(folder, 0);

test('a level above has the roots of the tiles below, in sequence', async () => {
  const grown = begin();
  const {tiles} = grown;
  grow(grown, 66_000);
  expect(tiles.unwritten).toBe(257 + 1);
  expectProven(grown, [0, 255, 256, 65_535, 65_536, 65_999]);
  await tiles.keep();
  expect(tiles.unwritten).toBe(0);
  expect(statSync(level0()).size).toBe(257 * tileBytes);
  const upper = readFileSync(tileFilePath(folder, 1));
  expect(upper).toHaveLength(tileBytes);
  expect(encodeHex(upper.subarray(32, 64))).toBe(encodeHex(tiles.at(8, 1)));
  const [left, right] = [tiles.at(15, 0), tiles.at(15, 1)];
  expect(encodeHex(tiles.at(16, 0))).toBe(encodeHex(nodeHash(sha256Bytes, left, right)));
  expectProven(grown, [0, 255, 256, 65_535, 65_536, 65_999]);
});

test('what becomes full while tiles go to disk is read from memory until it is its turn', async () => {
  let meanwhile = (): void => undefined;
  const grown = begin({
    ...nodeFileOperations,
    async datasync(fd) {
      meanwhile();
      await nodeFileOperations.datasync(fd);
    },
  });
  grow(grown, 300);
  meanwhile = () => grow(grown, 1_000);
  await grown.tiles.keep();
  expect(statSync(level0()).size).toBe(tileBytes);
  expect(grown.tiles.unwritten).toBe(2);
  expectProven(grown, [0, 255, 256, 511, 512, 999]);
  await grown.tiles.keep();
  expect(statSync(level0()).size).toBe(3 * tileBytes);
  expectProven(grown, [0, 255, 256, 511, 512, 999]);
});

test.each([0, 1, 255, 256, 257, 700])('tiles continue from the state at %i, and from no other', async (size) => {
  const grown = begin();
  grow(grown, size);
  await grown.tiles.keep();
  const tiles = new TreeTiles({tileFolder: folder, files: nodeFileOperations});
  const state: unknown = JSON.parse(JSON.stringify(grown.tiles.state()));
  for (const wrong of [undefined, 'x', [], ['AAAA'], [7, 7, 7]]) {
    if (size > 0) expect(tiles.restore(wrong, size)).toBe(false);
  }
  expect(tiles.restore(state, size + 1)).toBe(false);
  expect(tiles.restore(state, size)).toBe(true);
  const resumed = {tree: grown.tree, tiles};
  grow(resumed, 1_100);
  await tiles.keep();
  expectProven(resumed, [3, 1_099]);
  tiles.forget();
  expect(() => tiles.at(0, 0)).toThrow(RangeError);
});

describe('beside others', () => {
  test('a process that is behind writes the same bytes, and removes nothing of one that is ahead', async () => {
    const [ahead, behind] = [begin(), begin()];
    grow(ahead, 1_000);
    await ahead.tiles.keep();
    const whole = readFileSync(level0());
    grow(behind, 600);
    await behind.tiles.keep();
    expect(readFileSync(level0()).equals(whole)).toBe(true);
    behind.tiles.forget();
    expectProven(ahead, [0, 767, 999]);
  });

  test('later tiles that are written first leave a hole, which does not count as tiles', async () => {
    const [first, second] = [begin(), begin()];
    grow(first, 512);
    grow(second, 512);
    await second.tiles.keep();
    rmSync(level0());
    grow(second, 1_024);
    await second.tiles.keep();
    expect(() => expectProven(second, [0])).toThrow('leaf 0 of 1024');
    await first.tiles.keep();
    expectProven(second, [0, 511, 512, 1_023]);
  });

  test('tiles of lost lines are replaced by those of new lines', async () => {
    const lost = begin();
    for (let line = 0; line < 600; line += 1) {
      lost.tree.append(Buffer.from(`lost ${line}`), (level, hash) => lost.tiles.add(level, hash));
    }
    await lost.tiles.keep();
    const grown = begin();
    grow(grown, 520);
    await grown.tiles.keep();
    expectProven(grown, [0, 300, 511, 519]);
  });
});

describe('a file that is gone or short', () => {
  test.each<[string, () => void, object]>([
    ['gone', () => rmSync(level0()), {code: 'ENOENT'}],
    ['empty', () => truncateSync(level0(), 0), {name: 'RangeError'}],
    ['cut within a tile', () => truncateSync(level0(), 2 * tileBytes - 1), {name: 'RangeError'}],
  ])('%s: is not gone on from, and its hashes are not made up', async (_, damage, error) => {
    const grown = begin();
    grow(grown, 700);
    await grown.tiles.keep();
    damage();
    expect(() => grown.tiles.at(0, 511)).toThrow(expect.objectContaining(error));
    expect(() => grown.tiles.at(7, 3)).toThrow(expect.objectContaining(error));
    const next = new TreeTiles({tileFolder: folder, files: nodeFileOperations});
    expect(next.restore(grown.tiles.state(), 700)).toBe(false);
    expect(next.restore(['', ''], 0)).toBe(true);
  });

  test('is complete again after the tree has grown again', async () => {
    const grown = begin();
    grow(grown, 700);
    await grown.tiles.keep();
    const fd = openSync(level0(), 'r+');
    writeSync(fd, Buffer.alloc(300), 0, 300, 8_000);
    closeSync(fd);
    grown.tiles.forget();
    const again = {tree: new MerkleTree(sha256Bytes), tiles: grown.tiles};
    grow(again, 700);
    await again.tiles.keep();
    expectProven(again, [0, 250, 256, 699]);
  });
});

describe('a disk that fails', () => {
  test.each<[string, (disk: ReturnType<typeof createFailingDisk>) => void]>([
    ['for want of space', (disk) => Object.assign(disk, {room: 10_000})],
    ['to bring them to disk', (disk) => Object.assign(disk, {syncFails: true})],
  ])('%s: the tiles stay in memory and are all written again', async (_, fail) => {
    const disk = createFailingDisk();
    const grown = begin(disk);
    grow(grown, 600);
    fail(disk);
    await expect(grown.tiles.keep()).rejects.toMatchObject({code: expect.stringMatching(/ENOSPC|EIO/u)});
    expect(grown.tiles.unwritten).toBe(2);
    expectProven(grown, [0, 511, 599]);
    writeFileSync(level0(), '');
    Object.assign(disk, {room: Number.POSITIVE_INFINITY, syncFails: false});
    await grown.tiles.keep();
    expect(grown.tiles.unwritten).toBe(0);
    expect(statSync(level0()).size).toBe(2 * tileBytes);
    expectProven(grown, [0, 511, 599]);
  });
});

test('where earlier versions kept a file for each tile, those go once the tiles are here', async () => {
  const old = join(folder, 'tile', '0', 'x001', '000');
  mkdirSync(dirname(old), {recursive: true});
  writeFileSync(old, Buffer.alloc(tileBytes));
  const grown = begin();
  grow(grown, 200);
  await grown.tiles.keep();
  expect(existsSync(old)).toBe(true);
  const state = grown.tiles.state();
  grow(grown, 300);
  expect(new TreeTiles({tileFolder: folder, files: nodeFileOperations}).restore(grown.tiles.state(), 300)).toBe(false);
  expect(new TreeTiles({tileFolder: folder, files: nodeFileOperations}).restore(state, 200)).toBe(true);
  await grown.tiles.keep();
  expect(existsSync(join(folder, 'tile'))).toBe(false);
});

test('without a store, hashes are read from memory', async () => {
  const lone = {tree: new MerkleTree(sha256Bytes), tiles: new TreeTiles()};
  grow(lone, 700);
  await lone.tiles.keep();
  expectProven(lone, [0, 255, 256, 511, 699]);
  expect(new TreeTiles().restore(lone.tiles.state(), 700)).toBe(false);
});
