// A client of published logs that is written from the specification alone.
import {openNote, parseCheckpoint} from '@lumenflow/kernel/adapters';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseVerifierKey} from '../signed-log/note-key.ts';

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

/** MTH of RFC 6962, section 2.1. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (only === undefined) return sha256();
  if (hashes.length === 1) return only;
  const half = 2 ** Math.floor(Math.log2(hashes.length - 1));
  return sha256(Buffer.of(1), rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)));
}

/** A full tile may have replaced a partial one. */
function readTile(
  level: string,
  index: number,
  {width, itemBytes}: {readonly width: number; readonly itemBytes: number},
): Buffer {
  const name = join(level, String(index).padStart(3, '0'));
  const bytes = readFileSync(width < 256 && !existsSync(name) ? join(`${name}.p`, String(width)) : name);
  if (bytes.length === 0 || bytes.length % itemBytes > 0) throw new Error(`${name} has ${bytes.length} bytes`);
  return bytes.subarray(0, width * itemBytes);
}

function readLevel(level: string, count: number, itemBytes = 32): readonly Buffer[] {
  const tiles = Array.from({length: Math.ceil(count / 256)}, (_, index) =>
    readTile(level, index, {width: Math.min(256, count - index * 256), itemBytes}),
  );
  const bytes = Buffer.concat(tiles);
  return Array.from({length: count}, (_, at) => bytes.subarray(at * itemBytes, (at + 1) * itemBytes));
}

/** Returns the entries after having checked the signature, the tree's levels, and each entry. */
export function readPublished(folder: string, log = 'records', origin = 'traces'): readonly string[] {
  const published = readFileSync(join(folder, 'keys'), 'utf8').split('\n');
  const key = published.find((line) => line.split('+', 1)[0]?.endsWith(`/${origin}`)) ?? '';
  const verifier = parseVerifierKey(key);
  const note = openNote(readFileSync(join(folder, log, 'checkpoint'), 'utf8'), verifier ? [verifier] : []);
  const checkpoint = parseCheckpoint(note?.text ?? '');
  if (checkpoint === undefined || checkpoint.origin !== verifier?.name) throw new Error('not signed');
  const {size, root} = checkpoint;
  const level = (name: string): string => join(folder, log, 'tile', name);
  const leaves = readLevel(level('0'), size);
  if (!rootOf(leaves).equals(root)) throw new Error('the leaves have another root');
  for (const [at, hash] of readLevel(level('1'), Math.floor(size / 256)).entries()) {
    if (!rootOf(leaves.slice(at * 256, (at + 1) * 256)).equals(hash)) throw new Error(`tile ${at} has another root`);
  }
  return readLevel(level('entries'), size, 34).map((item, at) => {
    const entry = item.subarray(2);
    const isLeaf = item.readUInt16BE() === 32 && leaves[at]?.equals(sha256(Buffer.of(0), entry));
    if (!isLeaf) throw new Error(`entry ${at} is not the leaf`);
    return entry.toString('hex');
  });
}
