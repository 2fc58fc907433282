// Reads a blob by its reference and checks it against the hash it is kept under.
import {closeSync, fstatSync, openSync, readFileSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import {packHeader, parseBlobRef, parsePackHeader, type BlobPlace} from './blob-ref.ts';

export type BlobReading =
  | {readonly kind: 'found'; readonly hash: string; readonly bytes: Buffer}
  | {readonly kind: 'missing'}
  /** Its bytes were overwritten with zeros; who did it and why is said elsewhere, or not at all. */
  | {readonly kind: 'shredded'; readonly hash: string}
  | {readonly kind: 'changed'};

/** `folder` holds the files that references call `inputs/…`. */
export function readBlob(folder: string, ref: string): BlobReading {
  const place = parseBlobRef(ref);
  if (place === undefined) return {kind: 'missing'};
  const fd = openOrUndefined(join(folder, place.kind === 'file' ? place.hash : place.pack));
  if (fd === undefined) return {kind: 'missing'};
  try {
    return place.kind === 'file' ? checkBlobFile(readFileSync(fd), place.hash) : readPacked(fd, place);
  } finally {
    closeSync(fd);
  }
}

export function checkBlobFile(bytes: Buffer, hash: string): BlobReading {
  if (sha256Hex(bytes) === hash) return {kind: 'found', hash, bytes};
  return isShredded(bytes) ? {kind: 'shredded', hash} : {kind: 'changed'};
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
  if (frame.at(-1) !== 0x0a) return {kind: 'changed'};
  if (header.toString('latin1') === packHeader(hash, length)) return {kind: 'found', hash, bytes};
  const kept = parsePackHeader(header, 0);
  const isOfFrame = kept?.length === length && kept.bytes === header.length;
  return isOfFrame && isShredded(bytes) ? {kind: 'shredded', hash: kept.hash} : {kind: 'changed'};
}

function isShredded(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte === 0);
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
