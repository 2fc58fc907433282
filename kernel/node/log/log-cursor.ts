// Reads a segmented log forward from a position and checks each line's location in the chain. It needs no lock: lines do
// not change once they are complete, and it never goes past the first one that is not.
import {closeSync, fstatSync, readSync} from 'node:fs';
import {lookForArchived} from '../archive/archived-file.ts';
import {isStored, openStored} from '../archive/open-stored.ts';
import type {CursorStop, LineCursor} from './line-cursor.ts';
import {hashOfLine, notOfThisVersion, readChainLink} from './log-line.ts';
import {logStart, type LogPosition} from './log-position.ts';
import {segmentName, segmentPath} from './segment-files.ts';
import {openIfPresent} from '../system/open-if-present.ts';

const chunkBytes = 256 * 1024;
const newline = 0x0a;
const gone = {size: 0, nlink: 0};

/** The position of a line. */
export interface LineLocation {
  readonly seq: number;
  readonly segment: number;
  readonly offset: number;
  /** SHA-256 of the line's bytes, hex: what the next line's `prev` is. */
  readonly hash: string;
}

/** `false` says that the line is not what it should be; the cursor then stays before it. */
export type VisitLine = (line: Buffer, location: LineLocation) => boolean | undefined | void;

export interface LogCursorOptions {
  readonly folder: string;
  /** Default: before the first line. */
  readonly from?: LogPosition | undefined;
}

export class LogCursor implements LineCursor {
  readonly #folder: string;
  #position: LogPosition;
  #fd: number | undefined;
  #buffer = Buffer.allocUnsafe(0);

  constructor(options: LogCursorOptions) {
    this.#folder = options.folder;
    this.#position = options.from ?? logStart;
  }

  get position(): LogPosition {
    return this.#position;
  }

  moveTo(position: LogPosition): void {
    if (position.segment !== this.#position.segment) this.close();
    this.#position = position;
  }

  skip(line: Buffer, {seq, segment, offset, hash}: LineLocation): void {
    this.moveTo({segment, offset: offset + line.length + 1, seq, head: hash});
  }

  /** Visits complete lines from here on. A line's bytes are the visitor's only until it returns. Throws NeedsArchive. */
  advance(visit: VisitLine, limit: number = Number.POSITIVE_INFINITY): CursorStop {
    let left = limit;
    for (;;) {
      const {offset, seq} = this.#position;
      if (this.#passesArchived()) continue;
      const fd = this.#open();
      if (fd === undefined && offset === 0) return {kind: 'end'};
      const {size, nlink} = fd === undefined ? gone : fstatSync(fd);
      if (fd === undefined || size < offset || nlink === 0) {
        return {kind: 'wrong', reason: 'is gone: the file was cut or deleted while in use', lineBytes: 0};
      }
      if (size === offset) {
        if (!this.#enter(seq + 1)) return {kind: 'end'};
        continue;
      }
      const stop = this.#visitChunk(this.#read(fd, size), visit, left);
      if (stop !== undefined) return stop;
      left -= this.#position.seq - seq;
      if (left <= 0) return {kind: 'limit'};
    }
  }

  /** Whether its segment is whole and read to the end; whether another one follows is not asked. */
  isAtEnd(): boolean {
    this.#fd ??= openIfPresent(segmentPath(this.#folder, this.#position.segment));
    if (this.#fd === undefined) return false;
    const {size, nlink} = fstatSync(this.#fd);
    return nlink > 0 && size === this.#position.offset;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#buffer = Buffer.allocUnsafe(0);
  }

  #open(): number | undefined {
    this.#fd ??= openStored(this.#folder, segmentName(this.#position.segment));
    return this.#fd;
  }

  /** Continues after a segment that was archived, maybe while it was open. One that is not read to its end is opened where it is now. */
  #passesArchived(): boolean {
    if (this.#fd !== undefined && fstatSync(this.#fd).nlink > 0) return false;
    const {segment, offset, seq} = this.#position;
    const archived = lookForArchived(this.#folder, segmentName(segment));
    if (archived === undefined) return false;
    this.close();
    return archived.bytes === offset && this.#enter(seq + 1);
  }

  /** Continues with the next segment if there is one. */
  #enter(segment: number): boolean {
    // Asking is far cheaper than an open that fails, and this is asked for every group of records.
    if (segment === this.#position.segment || !isStored(this.#folder, segmentName(segment))) return false;
    this.close();
    this.#position = {...this.#position, segment, offset: 0};
    return true;
  }

  /** From the position on: at least one whole line, or all there is. */
  #read(fd: number, size: number): Buffer {
    const {offset} = this.#position;
    for (let wanted = chunkBytes; ; wanted *= 4) {
      const length = Math.min(wanted, size - offset);
      if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(length);
      const chunk = this.#buffer.subarray(0, readFully(fd, this.#buffer.subarray(0, length), offset));
      if (chunk.length < wanted || chunk.includes(newline)) return chunk;
    }
  }

  #visitChunk(chunk: Buffer, visit: VisitLine, limit: number): CursorStop | undefined {
    let start = 0;
    for (let left = limit; left > 0; left -= 1) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) return start === 0 ? {kind: 'partial'} : undefined;
      const line = chunk.subarray(start, end);
      const reason = this.#step(line, visit);
      if (reason !== undefined) return {kind: 'wrong', reason, lineBytes: line.length + 1};
      start = end + 1;
    }
    return undefined;
  }

  /** Goes past a line, or says what is wrong with it. */
  #step(line: Buffer, visit: VisitLine): string | undefined {
    const {segment, offset, seq, head} = this.#position;
    const location = readChainLink(line);
    if (location === undefined) return 'is not a line of this log';
    if (location.seq !== seq + 1) return `has seq ${location.seq} where ${seq + 1} was due`;
    if (location.prev !== head) return 'does not continue the chain: its `prev` is not the hash of the line before';
    const hash = hashOfLine(line);
    if (visit(line, {seq: location.seq, segment, offset, hash}) === false) return notOfThisVersion;
    this.#position = {segment, offset: offset + line.length + 1, seq: location.seq, head: hash};
    return undefined;
  }
}

/** Gives how many bytes there were. */
function readFully(fd: number, into: Buffer, position: number): number {
  let done = 0;
  while (done < into.length) {
    const read = readSync(fd, into, done, into.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
