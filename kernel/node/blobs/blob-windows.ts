// Reads many contents in a row. Calls refer to packs in about the order they were written, so a window onto each pack
// saves nearly every read.
import {closeSync, fstatSync, readFileSync, readSync} from 'node:fs';
import {openStored} from '../archive/open-stored.ts';
import {parseBlobRef, packHeader, type BlobLocation} from './blob-ref.ts';
import {checkBlobFile, checkFrame, type BlobReading} from './read-blob.ts';

const windowBytes = 1024 * 1024;
const packsOpenMax = 16;

interface PackWindow {
  readonly fd: number;
  offset: number;
  bytes: Buffer;
}

export class BlobWindows {
  readonly #folder: string;
  readonly #packs = new Map<string, PackWindow>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  close(): void {
    for (const {fd} of this.#packs.values()) closeSync(fd);
    this.#packs.clear();
  }

  /** Throws NeedsArchive. */
  readonly read = (ref: string): BlobReading => {
    const place = parseBlobRef(ref);
    if (place === undefined) return {kind: 'changed'};
    return place.kind === 'file' ? this.#readFile(place.hash) : this.#readPacked(place);
  };

  #readFile(hash: string): BlobReading {
    const fd = openStored(this.#folder, hash);
    if (fd === undefined) return {kind: 'missing'};
    try {
      return checkBlobFile(readFileSync(fd), hash);
    } finally {
      closeSync(fd);
    }
  }

  #readPacked({pack, offset, length}: Extract<BlobLocation, {kind: 'packed'}>): BlobReading {
    const header = packHeader('', length).length + 64;
    if (offset < header) return {kind: 'changed'};
    const start = offset - header;
    const frame = this.#window(pack, start, header + length + 1);
    return frame === undefined ? {kind: 'missing'} : checkFrame(frame, {start, length});
  }

  #window(pack: string, start: number, length: number): Buffer | undefined {
    const window = this.#packs.get(pack) ?? this.#open(pack);
    if (window === undefined) return undefined;
    if (start < window.offset || start + length > window.offset + window.bytes.length) {
      const left = fstatSync(window.fd).size - start;
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(Math.max(windowBytes, length), left)));
      window.bytes = bytes.subarray(0, readSync(window.fd, bytes, 0, bytes.length, start));
      window.offset = start;
    }
    const from = start - window.offset;
    return from + length > window.bytes.length ? undefined : window.bytes.subarray(from, from + length);
  }

  #open(pack: string): PackWindow | undefined {
    const fd = openStored(this.#folder, pack);
    if (fd === undefined) return undefined;
    const window = {fd, offset: 0, bytes: Buffer.alloc(0)};
    const [oldest] = this.#packs;
    if (this.#packs.size >= packsOpenMax && oldest !== undefined) {
      closeSync(oldest[1].fd);
      this.#packs.delete(oldest[0]);
    }
    this.#packs.set(pack, window);
    return window;
  }
}
