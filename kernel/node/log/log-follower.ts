// Keeps a fold of a log's lines up to date with the log.
import {KernelError} from '@lumenflow/kernel';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {LogCursor, type LineLocation} from './log-cursor.ts';
import type {LogPosition} from './log-position.ts';
import {listSegments, segmentPath} from './segment-files.ts';

/** Lines taken in before others get their turn. */
const linesPerTurn = 1_000;

/** What is built from lines. */
export interface LineFold {
  /** Takes a line in; false when it is not one of this log. */
  add(line: Buffer, location: LineLocation): boolean;
}

export interface LogFollowerOptions<T extends LineFold> {
  readonly folder: string;
  readonly archive: ArchiveReader;
  /** The fold of no lines. */
  readonly empty: () => T;
  /** A fold that was kept, and the position it was kept at. */
  readonly kept?: () => {readonly fold: T; readonly position: LogPosition} | undefined;
}

export class LogFollower<T extends LineFold> {
  readonly #options: LogFollowerOptions<T>;
  #following: {readonly fold: T; readonly cursor: LogCursor} | undefined;
  #updating: Promise<T> | undefined;

  constructor(options: LogFollowerOptions<T>) {
    this.#options = options;
  }

  /** The fold of all complete lines. Simultaneous callers share one read; a later caller reads again. */
  async current(): Promise<T> {
    await this.#updating;
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  close(): void {
    this.#following?.cursor.close();
    this.#following = undefined;
  }

  async #update(): Promise<T> {
    const {folder, empty, kept, archive} = this.#options;
    const found = this.#following === undefined ? await archive.reading(() => kept?.()) : undefined;
    this.#following ??= found
      ? {fold: found.fold, cursor: new LogCursor({folder, from: found.position})}
      : {fold: empty(), cursor: new LogCursor({folder})};
    if ((await this.#advance(this.#following)) === undefined) return this.#following.fold;
    // Lines of a failed write may have been read and then removed, or a restored copy is damaged: the log is read again from its start.
    this.close();
    await archive.heal();
    this.#following = {fold: empty(), cursor: new LogCursor({folder})};
    const reason = await this.#advance(this.#following);
    if (reason !== undefined) throw new KernelError('LOG_CORRUPT', reason);
    return this.#following.fold;
  }

  /** Gives what is wrong, if anything is. */
  async #advance({fold, cursor}: {readonly fold: T; readonly cursor: LogCursor}): Promise<string | undefined> {
    const {folder, archive} = this.#options;
    let suspected: number | undefined;
    for (;;) {
      const stop = await archive.reading(() =>
        cursor.advance((line, location) => fold.add(line, location), linesPerTurn),
      );
      const {segment, seq} = cursor.position;
      const where = `\`${segmentPath(folder, segment)}\` line ${seq - segment + 2}`;
      if (stop.kind === 'wrong') return `${where} ${stop.reason}`;
      if (stop.kind === 'limit') {
        await nextTurn();
        continue;
      }
      const last = listSegments(folder).at(-1) ?? 0;
      if (last <= seq + 1) return undefined;
      // Another process may have appended in the meantime: only a line that is absent from a second read is missing.
      if (suspected === seq) return `${where} is missing, and all up to \`${segmentPath(folder, last)}\``;
      suspected = seq;
    }
  }
}
