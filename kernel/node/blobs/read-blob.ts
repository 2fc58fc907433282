// Reads a blob by its reference and checks it against the hash it is kept under.
import {closeSync, fstatSync, openSync, readFileSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import {packHeader, parseBlobRef, type BlobPlace} from './blob-ref.ts';

export type BlobReading =
  | {readonly kind: 'found'; readonly hash: string; readonly bytes: Buffer}
  | {readonly kind: 'missing'}
  | {readonly kind: 'changed'};

/** `folder` holds the files that references call `inputs/…`. */
export function readBlob(folder: string, ref: string): BlobReading {
  const place = parseBlobRef(ref);
  if (place === undefined) return {kind: 'missing'};
  const fd = openOrUndefined(join(folder, place.kind === 'file' ? place.hash : place.pack));
  if (fd === undefined) return {kind: 'missing'};
  try {
    return place.kind === 'file' ? checkFile(readFileSync(fd), place.hash) : readPacked(fd, place);
  } finally {
    closeSync(fd);
  }
}

function checkFile(bytes: Buffer, hash: string): BlobReading {
  return sha256Hex(bytes) === hash ? {kind: 'found', hash, bytes} : {kind: 'changed'};
}

function readPacked(fd: number, place: Extract<BlobPlace, {kind: 'packed'}>): BlobReading {
  const headerLength = packHeader('', place.length).length + 64;
  const start = place.offset - headerLength;
  const end = place.offset + place.length + 1;
  if (start < 0) return {kind: 'changed'};
  if (fstatSync(fd).size < end) return {kind: 'missing'};
  const frame = Buffer.allocUnsafe(end - start);
  if (readSync(fd, frame, 0, frame.length, start) < frame.length) return {kind: 'missing'};
  return checkFrame(frame, place.length);
}

/** A frame is a header, the bytes and a newline; all of it must be as it was written. */
export function checkFrame(frame: Buffer, length: number): BlobReading {
  const header = frame.subarray(0, frame.length - length - 1);
  const bytes = frame.subarray(header.length, -1);
  const hash = sha256Hex(bytes);
  const isWhole = header.toString('latin1') === packHeader(hash, length) && frame.at(-1) === 0x0a;
  return isWhole ? {kind: 'found', hash, bytes} : {kind: 'changed'};
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
