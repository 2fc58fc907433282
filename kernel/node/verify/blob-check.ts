// Checks that the blobs a record refers to are there and are what the record says. Calls refer to packs in about the
// order they were written, so a window onto each pack saves nearly every read.
import {closeSync, fstatSync, openSync, readFileSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {parseBlobRef, packHeader, type BlobPlace} from '../blobs/blob-ref.ts';
import {checkBlobFile, checkFrame, type BlobReading} from '../blobs/read-blob.ts';
import {RecentMap} from '../blobs/recent-map.ts';
import type {Finding} from './finding.ts';

const windowBytes = 1024 * 1024;
const packsOpenMax = 16;
const rememberedMax = 8_192;

interface PackWindow {
  readonly fd: number;
  offset: number;
  bytes: Buffer;
}

export class BlobCheck {
  readonly #folder: string;
  readonly #findings: Finding[];
  /** Hashes of contents that were redacted, by what the event log says. */
  readonly #redacted: ReadonlySet<string>;
  readonly #packs = new Map<string, PackWindow>();
  /** Hashes of blobs that were just seen, by reference. */
  readonly #seen = new RecentMap<string, string>(rememberedMax);
  /** Blobs read. */
  count = 0;
  /** References to contents that were redacted. */
  redacted = 0;

  constructor(folder: string, findings: Finding[], redacted: ReadonlySet<string>) {
    this.#folder = folder;
    this.#redacted = redacted;
    this.#findings = findings;
  }

  /** `where` names the record, for people. */
  check(ref: string, hash: string | undefined, where: () => string): void {
    const known = this.#seen.get(ref);
    if (known !== undefined && known === hash) return;
    const reading = this.#read(ref);
    if (reading.kind === 'found' && reading.hash === hash) return this.#remember(ref, reading.hash);
    const isShredded = reading.kind === 'shredded' && reading.hash === hash;
    if ((isShredded || reading.kind === 'missing') && hash !== undefined && this.#redacted.has(hash)) {
      this.redacted += 1;
      this.#findings.push({status: 'blob_missing', text: `${where()} refers to \`${ref}\`, which was redacted`});
    } else if (reading.kind === 'missing') {
      this.#findings.push({status: 'blob_missing', text: `${where()} refers to \`${ref}\`, which is missing`});
    } else {
      this.#findings.push({
        status: 'tampered',
        text: `${where()} refers to \`${ref}\`, which is not what was recorded`,
      });
    }
  }

  close(): void {
    for (const {fd} of this.#packs.values()) closeSync(fd);
    this.#packs.clear();
  }

  #read(ref: string): BlobReading {
    const place = parseBlobRef(ref);
    if (place === undefined) return {kind: 'changed'};
    try {
      return place.kind === 'file' ? this.#readFile(place.hash) : this.#readPacked(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {kind: 'missing'};
      throw error;
    }
  }

  #readFile(hash: string): BlobReading {
    return checkBlobFile(readFileSync(join(this.#folder, hash)), hash);
  }

  #readPacked({pack, offset, length}: Extract<BlobPlace, {kind: 'packed'}>): BlobReading {
    const header = packHeader('', length).length + 64;
    if (offset < header) return {kind: 'changed'};
    const frame = this.#window(pack, offset - header, header + length + 1);
    return frame === undefined ? {kind: 'missing'} : checkFrame(frame, length);
  }

  #window(pack: string, start: number, length: number): Buffer | undefined {
    const window = this.#packs.get(pack) ?? this.#open(pack);
    if (start < window.offset || start + length > window.offset + window.bytes.length) {
      const left = fstatSync(window.fd).size - start;
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(Math.max(windowBytes, length), left)));
      window.bytes = bytes.subarray(0, readSync(window.fd, bytes, 0, bytes.length, start));
      window.offset = start;
    }
    const from = start - window.offset;
    return from + length > window.bytes.length ? undefined : window.bytes.subarray(from, from + length);
  }

  #open(pack: string): PackWindow {
    const window = {fd: openSync(join(this.#folder, pack), 'r'), offset: 0, bytes: Buffer.alloc(0)};
    const [oldest] = this.#packs;
    if (this.#packs.size >= packsOpenMax && oldest !== undefined) {
      closeSync(oldest[1].fd);
      this.#packs.delete(oldest[0]);
    }
    this.#packs.set(pack, window);
    return window;
  }

  #remember(ref: string, hash: string): void {
    this.count += 1;
    this.#seen.set(ref, hash);
  }
}
