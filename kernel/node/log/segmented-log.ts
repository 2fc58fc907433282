// An append-only log of JSON Lines in segments, hash-chained: the end that writes. Several processes share one log;
// what is marked "under the lock" is safe only for the holder of the workspace's lock.
import {KernelError} from '@lumenflow/kernel';
import {closeSync, constants, mkdirSync, openSync} from 'node:fs';
import {writeFully, type FileOperations} from './file-operations.ts';
import {findTail} from './find-tail.ts';
import {LogCursor, type LineLocation} from './log-cursor.ts';
import {LineChain} from './line-chain.ts';
import type {LogPosition} from './log-position.ts';
import {listSegments, segmentPath, syncFolder, syncSegment} from './segment-files.ts';

export interface SegmentedLogOptions {
  readonly folder: string;
  /** A segment of this size or more gets no further group. */
  readonly rotateBytes: number;
  readonly files: FileOperations;
  readonly onWarning: (message: string) => void;
  /** How many lines are signed: one of them is never cut off. Default: 0. */
  readonly signedLines?: () => number;
  /** Called under the lock for each line that others appended since the last read. */
  readonly onForeignLine?: (line: Buffer, location: LineLocation) => void;
  /** Called under the lock for each line that this process has appended. */
  readonly onOwnLine?: (line: Buffer, location: LineLocation) => void;
}

export class SegmentedLog {
  readonly #folder: string;
  readonly #rotateBytes: number;
  readonly #files: FileOperations;
  readonly #onWarning: (message: string) => void;
  readonly #signedLines: () => number;
  readonly #onForeignLine: (line: Buffer, location: LineLocation) => void;
  readonly #onOwnLine: (line: Buffer, location: LineLocation) => void;
  readonly #cursor: LogCursor;
  readonly #chain = new LineChain();
  #appended = 0;
  #writing: {readonly segment: number; readonly fd: number} | undefined;
  /** Segments that were filled since the last sync. */
  #retired: number[] = [];
  #folderSynced = true;
  /** The stay in the lock in which the end was found. */
  #turn = 0;
  /** A failed group whose bytes could not be cut off again yet. */
  #leftover: {readonly segment: number; readonly offset: number} | undefined;

  constructor(options: SegmentedLogOptions) {
    mkdirSync(options.folder, {recursive: true, mode: 0o700});
    this.#folder = options.folder;
    this.#rotateBytes = options.rotateBytes;
    this.#files = options.files;
    this.#onWarning = options.onWarning;
    this.#signedLines = options.signedLines ?? (() => 0);
    this.#onForeignLine = options.onForeignLine ?? pass;
    this.#onOwnLine = options.onOwnLine ?? pass;
    this.#cursor = new LogCursor({
      folder: options.folder,
      from: findTail(options.folder),
    });
  }

  get folder(): string {
    return this.#folder;
  }

  /** How many lines this process appended. */
  get appended(): number {
    return this.#appended;
  }

  /** Whether the file still has lines of a failed group, which the next turn cuts off. */
  get hasLeftover(): boolean {
    return this.#leftover !== undefined;
  }

  /** After the last line that was read or written. */
  get position(): LogPosition {
    return this.#cursor.position;
  }

  /**
   * Under the lock. Moves past lines of other processes, and cuts off the torn end of a crashed one; throws LOG_CORRUPT.
   * `turn` is the number of the stay in the lock, if not 0: within one, no other process appends, so only the first read has a cost.
   */
  catchUp(turn = 0): void {
    // Another process had the lock and either accepted the leftover lines or cut them off: lines there may be its own.
    if (turn !== this.#turn) this.#leftover = undefined;
    this.#cutLeftover();
    if (turn !== 0 && turn === this.#turn && this.#cursor.isAtEnd()) return;
    this.#lookForEnd();
    this.#turn = turn;
  }

  #lookForEnd(): void {
    const stop = this.#cursor.advance(this.#onForeignLine);
    if (stop.kind === 'end') return;
    const {segment, offset, seq} = this.position;
    const path = segmentPath(this.#folder, segment);
    const isLast = (listSegments(this.#folder).at(-1) ?? segment) <= segment;
    const isTorn = stop.kind === 'partial' || (stop.kind === 'wrong' && this.#isTornLine(stop.lineBytes));
    if (!isLast || !isTorn || seq < this.#signedLines()) {
      const reason = stop.kind === 'wrong' ? stop.reason : 'has no end';
      throw new KernelError('LOG_CORRUPT', `\`${path}\` line ${seq - segment + 2} ${reason}`);
    }
    this.#files.truncate(this.#fdOf(segment), offset);
    this.#onWarning(
      `\`${path}\` ended in a torn line ${seq - segment + 2}: it was cut off, and the ${seq} lines before it remain`,
    );
  }

  /** Under the lock, after `catchUp`. Appends JSON objects, all or none, to the page cache; throws LOG_UNAVAILABLE. */
  append(bodies: readonly string[]): void {
    const before = this.position;
    const rotated = before.offset >= this.#rotateBytes;
    const segment = rotated ? before.seq + 1 : before.segment;
    const offset = rotated ? 0 : before.offset;
    const {bytes, places} = this.#chain.lines(bodies, {...before, segment, offset});
    const {seq, hash: head} = places.at(-1) ?? {seq: before.seq, hash: before.head};
    const after = {segment, offset: offset + bytes.length, seq, head};
    try {
      // A disk keeps no order between files: without this, a power cut could leave a new segment after a torn one.
      if (rotated) syncSegment(this.#folder, before.segment);
      writeFully(this.#files, this.#fdOf(segment), bytes, offset);
    } catch (cause) {
      this.#cursor.moveTo(after);
      this.cutBack(before);
      throw unavailable(`\`${segmentPath(this.#folder, segment)}\` cannot be written`, cause);
    }
    this.#cursor.moveTo(after);
    this.#appended += bodies.length;
    places.forEach((location, at) => {
      const end = (places[at + 1]?.offset ?? after.offset) - 1;
      this.#onOwnLine(bytes.subarray(location.offset - offset, end - offset), location);
    });
  }

  /** Under the lock, after `catchUp`. The present segment gets no further line, so that it can be archived. */
  startSegment(): void {
    const {segment, offset, seq, head} = this.position;
    if (offset === 0) return;
    syncSegment(this.#folder, segment);
    this.#fdOf(seq + 1);
    syncFolder(this.#folder);
    this.#cursor.moveTo({segment: seq + 1, offset: 0, seq, head});
  }

  /** Under the lock. Removes lines that this process appended after a position. */
  cutBack(to: LogPosition): void {
    const {segment} = this.position;
    this.#leftover = {segment, offset: segment === to.segment ? to.offset : 0};
    this.#cursor.moveTo(to);
    this.#cutLeftover();
  }

  /** Resolves once all that was appended before is on disk. One at a time. */
  async datasync(): Promise<void> {
    const retired = this.#retired;
    const fds = this.#writing === undefined ? retired : [...retired, this.#writing.fd];
    try {
      await Promise.all(fds.map((fd) => this.#files.datasync(fd)));
      if (!this.#folderSynced) syncFolder(this.#folder);
    } catch (cause) {
      throw unavailable(`\`${this.#folder}\` cannot be brought to disk`, cause);
    }
    this.#folderSynced = true;
    this.#retired = this.#retired.slice(retired.length);
    for (const fd of retired) closeSync(fd);
  }

  close(): void {
    this.#cursor.close();
    for (const fd of this.#retired.splice(0)) closeSync(fd);
    if (this.#writing !== undefined) closeSync(this.#writing.fd);
    this.#writing = undefined;
  }

  #cutLeftover(): void {
    if (this.#leftover === undefined) return;
    const {segment, offset} = this.#leftover;
    try {
      this.#files.truncate(this.#fdOf(segment), offset);
    } catch (cause) {
      throw unavailable(`\`${segmentPath(this.#folder, segment)}\` cannot be cut back`, cause);
    }
    this.#leftover = undefined;
  }

  #fdOf(segment: number): number {
    if (this.#writing?.segment === segment) return this.#writing.fd;
    const fd = openSync(segmentPath(this.#folder, segment), constants.O_RDWR | constants.O_CREAT, 0o600);
    if (this.#writing !== undefined) this.#retired.push(this.#writing.fd);
    this.#writing = {segment, fd};
    this.#folderSynced = false;
    return fd;
  }

  /** An invalid line counts as torn only if it is the last one and not JSON. */
  #isTornLine(lineBytes: number): boolean {
    const tail = findTailOrUndefined(this.#folder);
    return (
      lineBytes > 0 && tail !== undefined && tail.seq === this.position.seq && tail.offset === this.position.offset
    );
  }
}

function pass(): void {}

function findTailOrUndefined(folder: string): LogPosition | undefined {
  try {
    return findTail(folder);
  } catch {
    // Invalid lines before the last one are damage; a crash does not leave them.
    return undefined;
  }
}

function unavailable(what: string, cause: unknown): KernelError {
  return new KernelError('LOG_UNAVAILABLE', `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
}
