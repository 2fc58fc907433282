// Checks that the blobs a record refers to are there and are what the record says. Calls refer to packs in about the
// order they were written, so a window onto each pack saves nearly every read.
import {RecentMap} from '@lumenflow/kernel/adapters';
import {closeSync, fstatSync, openSync, readFileSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {parseBlobRef, packHeader, type BlobLocation} from '../blobs/blob-ref.ts';
import {checkBlobFile, checkFrame, type BlobReading} from '../blobs/read-blob.ts';
import type {Finding} from './finding.ts';
import type {LineAt} from './verify-log.ts';

const windowBytes = 1024 * 1024;
const packsOpenMax = 16;
const rememberedMax = 8_192;

interface PackWindow {
  readonly fd: number;
  offset: number;
  bytes: Buffer;
}

/** What the event log says of contents that may be gone. */
export interface ReportedContents {
  /** Hashes of contents that were redacted. */
  readonly redacted: ReadonlySet<string>;
  /** Refs of contents that a loss of power took, and the event that says so. */
  readonly lost: ReadonlyMap<string, number>;
}

export interface BlobCheckOptions {
  readonly folder: string;
  readonly told: ReportedContents;
  /** Whether a record was signed before an event was: then its contents stood, and no such event excuses them. */
  readonly isSignedBefore: (seq: number, event: number) => boolean;
}

export class BlobCheck {
  readonly #options: BlobCheckOptions;
  readonly #findings: Finding[];
  readonly #packs = new Map<string, PackWindow>();
  /** Hashes of blobs that were just seen, by reference. */
  readonly #seen = new RecentMap<string, string>(rememberedMax);
  /** Blobs read. */
  count = 0;
  /** References to contents that were redacted. */
  redacted = 0;
  /** References to contents that a loss of power took. */
  lost = 0;

  constructor(options: BlobCheckOptions, findings: Finding[]) {
    this.#options = options;
    this.#findings = findings;
  }

  /** What a record at a place of the log refers to. */
  check(ref: string, hash: string | undefined, at: LineAt): void {
    const known = this.#seen.get(ref);
    if (known !== undefined && known === hash) return;
    const reading = this.#read(ref);
    if (reading.kind === 'found' && reading.hash === hash) return this.#remember(ref, reading.hash);
    const isShredded = reading.kind === 'shredded' && reading.hash === hash;
    const isGone = reading.kind === 'missing' || reading.kind === 'torn';
    if ((isShredded || isGone) && hash !== undefined && this.#options.told.redacted.has(hash)) {
      this.redacted += 1;
      this.#report('blob_missing', at, `refers to \`${ref}\`, which was redacted`);
    } else if (isGone) {
      this.#reportGone(ref, reading.kind, at);
    } else {
      this.#report('tampered', at, `refers to \`${ref}\`, which is not what was recorded`);
    }
  }

  #reportGone(ref: string, kind: 'missing' | 'torn', at: LineAt): void {
    const event = this.#options.told.lost.get(ref);
    const state = kind === 'torn' ? 'torn: zeros stand in its place' : 'missing';
    if (event === undefined) {
      this.#report('blob_missing', at, `refers to \`${ref}\`, which is ${state}`);
    } else if (this.#options.isSignedBefore(at.seq, event)) {
      const excuse = `event ${event} calls it lost, but it was signed before that`;
      this.#report('blob_missing', at, `refers to \`${ref}\`, which is ${state}: ${excuse}`);
    } else {
      this.lost += 1;
      const text = `refers to \`${ref}\`, which the machine's power took before it was on disk, as event ${event} tells`;
      this.#report('blob_missing', at, text);
    }
  }

  #report(status: Finding['status'], at: LineAt, text: string): void {
    this.#findings.push({status, text: `${at.where()} ${text}`});
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
    return checkBlobFile(readFileSync(join(this.#options.folder, hash)), hash);
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
    const window = {fd: openSync(join(this.#options.folder, pack), 'r'), offset: 0, bytes: Buffer.alloc(0)};
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
