// Reads a blob by its reference and checks it against the hash it is kept under.
import {closeSync, fstatSync, readFileSync, readSync} from 'node:fs';
import {openStored} from '../archive/open-stored.ts';
import {sha256Hex} from '../system/sha256.ts';
import {packHeader, parseBlobRef, parsePackHeader, type BlobLocation} from './blob-ref.ts';

export type BlobReading =
  | {readonly kind: 'found'; readonly hash: string; readonly bytes: Buffer}
  | {readonly kind: 'missing'}
  /** Its bytes were overwritten with zeros. An event may have the author and the reason. */
  | {readonly kind: 'shredded'; readonly hash: string}
  /** Its bytes never reached the disk, which has zeros in their place. This is equivalent to a missing blob. */
  | {readonly kind: 'torn'}
  /** `reason` if it cannot be read. */
  | {readonly kind: 'changed'; readonly reason?: string};

/** What a disk writes whole or not at all. */
const sectorBytes = 512;

/** `folder` contains the files that references name `inputs/…`. Throws NeedsArchive. */
export function readBlob(folder: string, ref: string): BlobReading {
  const location = parseBlobRef(ref);
  if (location === undefined) return {kind: 'missing'};
  const fd = openStored(folder, location.kind === 'file' ? location.hash : location.pack);
  if (fd === undefined) return {kind: 'missing'};
  try {
    return location.kind === 'file' ? checkBlobFile(readFileSync(fd), location.hash) : readPacked(fd, location);
  } finally {
    closeSync(fd);
  }
}

export function checkBlobFile(bytes: Buffer, hash: string): BlobReading {
  if (sha256Hex(bytes) === hash) return {kind: 'found', hash, bytes};
  // Of a file that was shredded one zero is left.
  if (bytes.length === 1 && isZeros(bytes)) return {kind: 'shredded', hash};
  return {kind: isTorn(bytes, 0) ? 'torn' : 'changed'};
}

function readPacked(fd: number, location: Extract<BlobLocation, {kind: 'packed'}>): BlobReading {
  const headerLength = packHeader('', location.length).length + 64;
  const start = location.offset - headerLength;
  const end = location.offset + location.length + 1;
  if (start < 0) return {kind: 'changed'};
  if (fstatSync(fd).size < end) return {kind: 'missing'};
  const frame = Buffer.allocUnsafe(end - start);
  if (readSync(fd, frame, 0, frame.length, start) < frame.length) return {kind: 'missing'};
  return checkFrame(frame, {start, length: location.length});
}

/**
 * A frame is a header, the bytes and a newline; all of it must be as it was written. `start` is where it begins in the
 * pack, `length` how many bytes are the blob's.
 */
export function checkFrame(
  frame: Buffer,
  {start, length}: {readonly start: number; readonly length: number},
): BlobReading {
  const header = frame.subarray(0, frame.length - length - 1);
  const bytes = frame.subarray(header.length, -1);
  const hash = sha256Hex(bytes);
  const isEnded = frame.at(-1) === 0x0a;
  if (isEnded && header.toString('latin1') === packHeader(hash, length)) return {kind: 'found', hash, bytes};
  const kept = parsePackHeader(header, 0);
  const isOfFrame = isEnded && kept?.length === length && kept.bytes === header.length;
  if (isOfFrame && isZeros(bytes)) return {kind: 'shredded', hash: kept.hash};
  return {kind: isTorn(frame, start) ? 'torn' : 'changed'};
}

/** Neither JSON nor a frame contains a zero byte, so a zero at the end, or a sector of zeros, was never written. */
function isTorn(bytes: Buffer, start: number): boolean {
  if (bytes.length === 0 || bytes.at(-1) === 0) return true;
  for (let from = 0; from < bytes.length;) {
    const end = from + sectorBytes - ((start + from) % sectorBytes);
    if (isZeros(bytes.subarray(from, end))) return true;
    from = end;
  }
  return false;
}

function isZeros(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte === 0);
}
