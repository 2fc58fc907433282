// Ends a call that writes more than it may. While the call runs, one look at the file system's free space is enough to
// see that it cannot have exceeded its limits; only a call that might have is measured. At the end the count is exact.
import {statfs} from 'node:fs/promises';
import {measureWrites, type MeasuredTrees, type Written} from './measure-writes.ts';
import {DirectoryLocked} from './directory-locked.ts';
import {PathTooLong} from './path-too-long.ts';
import type {WriteBudget} from './write-budget.ts';
import {pathBytesMax, type MetWriteLimit, type WriteLimits} from './write-limits.ts';

export interface WriteWatch {
  /** Call it once nothing writes any more: returns the limit that was exceeded at any time, and stops the watch. */
  finish(): Promise<MetWriteLimit | undefined>;
  stop(): void;
}

export interface WatchInput extends MeasuredTrees {
  readonly limits: WriteLimits;
  readonly budget: WriteBudget;
  /** Whether the call's writes have their own file system, whose size matches their limits. */
  readonly isOwnFileSystem: boolean;
  /** Called once during the call, when it reaches a limit. */
  onLimit(): void;
}

const intervalMs = 100;
/** Measuring takes at most this part of the time. */
const measuredShare = 10;
/** Space that stays free for everything else on the disk. */
const reserveMaxBytes = 1024 ** 3;
const reserveShare = 50;
/** A call that uses less space did not fill the disk. */
const reserveIgnoresBytes = 16 * 1024 ** 2;

export async function watchWrites(input: WatchInput): Promise<WriteWatch> {
  const watch = new Watch(input, await look(input.touched));
  watch.schedule();
  return watch;
}

interface Free {
  readonly bytes: number;
  readonly files: number;
  readonly totalBytes: number;
  /** Some file systems do not count their inodes. */
  readonly countsFiles: boolean;
}

class Watch implements WriteWatch {
  readonly #input: WatchInput;
  readonly #atStart: Free;
  #timer: NodeJS.Timeout | undefined;
  #met: MetWriteLimit | undefined;
  #isOver = false;
  #measureAfterMs = 0;

  constructor(input: WatchInput, atStart: Free) {
    this.#input = input;
    this.#atStart = atStart;
  }

  schedule(): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => void this.#tick(), intervalMs).unref();
  }

  async finish(): Promise<MetWriteLimit | undefined> {
    this.stop();
    if (this.#met !== undefined) return this.#met;
    const now = await look(this.#input.touched);
    if (this.#input.isOwnFileSystem && isFull(now)) return this.#full(now);
    return await this.#measured().catch(unlessTooLong);
  }

  async #measured(): Promise<MetWriteLimit | undefined> {
    const most = await measureWrites(this.#input, 'size');
    // Most calls end here. Only where whole files would be too much is their content compared.
    return this.#over(most) && this.#over(await measureWrites(this.#input, 'content'));
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#input.budget.forget(this);
  }

  async #tick(): Promise<void> {
    try {
      const met = await this.#look().catch(unlessTooLong);
      if (met === undefined) return this.schedule();
      if (this.#isOver) return;
      this.#met = met;
      this.#input.onLimit();
    } catch {
      // An entry that was swapped while it was measured: the next look, or the end, counts it.
      this.schedule();
    }
  }

  async #look(): Promise<MetWriteLimit | undefined> {
    const {touched, limits, budget, isOwnFileSystem} = this.#input;
    const now = await look(touched);
    if (isOwnFileSystem) return isFull(now) ? this.#full(now) : undefined;
    const usedBytes = this.#atStart.bytes - now.bytes;
    const usedFiles = now.countsFiles ? this.#atStart.files - now.files : Infinity;
    const reserve = Math.min(reserveMaxBytes, Math.floor(now.totalBytes / reserveShare));
    const mayBeOver = usedBytes > limits.bytes || usedFiles > limits.files || usedBytes > budget.bytes;
    const mayFillDisk = now.bytes < reserve && usedBytes > reserveIgnoresBytes;
    if ((!mayBeOver && !mayFillDisk) || performance.now() < this.#measureAfterMs) return undefined;
    const used = {bytes: usedBytes, files: now.countsFiles ? usedFiles : 0, diskBytes: usedBytes};
    const written = await this.#measure().catch((error: unknown) => unlessLocked(error, used));
    if (mayFillDisk && written.diskBytes > reserveIgnoresBytes) return {limit: 'disk_reserve', bound: reserve};
    return this.#over(written) ?? (budget.isExceededBy(this, written.bytes) ? totalMet(budget) : undefined);
  }

  async #measure(): Promise<Written> {
    const startedMs = performance.now();
    const written = await measureWrites(this.#input, 'growth');
    const endedMs = performance.now();
    this.#measureAfterMs = endedMs + (endedMs - startedMs) * measuredShare;
    return written;
  }

  #over({bytes, files}: Written): MetWriteLimit | undefined {
    const {limits} = this.#input;
    if (bytes > limits.bytes) return {limit: 'write_bytes', bound: limits.bytes};
    return files > limits.files ? {limit: 'write_files', bound: limits.files} : undefined;
  }

  #full({bytes}: Free): MetWriteLimit {
    const {limits} = this.#input;
    return bytes === 0 ? {limit: 'write_bytes', bound: limits.bytes} : {limit: 'write_files', bound: limits.files};
  }
}

function unlessTooLong(error: unknown): MetWriteLimit {
  if (error instanceof PathTooLong) return {limit: 'path_bytes', bound: pathBytesMax};
  throw error;
}

/** What lies in a directory that the call has locked cannot be counted while it runs. Then all that came to the disk counts as its. */
function unlessLocked(error: unknown, used: Written): Written {
  if (error instanceof DirectoryLocked) return used;
  throw error;
}

function totalMet({bytes}: WriteBudget): MetWriteLimit {
  return {limit: 'total_write_bytes', bound: bytes};
}

function isFull({bytes, files}: Free): boolean {
  return bytes === 0 || files === 0;
}

async function look(path: string): Promise<Free> {
  const {bavail, bsize, ffree, files, blocks} = await statfs(path);
  return {bytes: bavail * bsize, files: ffree, totalBytes: blocks * bsize, countsFiles: files > 0};
}
