// The event log on disk. One reader publishes all events in order from the file, those of this process too. So listeners never see an
// event that could still be removed.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import type {EventLog, EventRange, MaybePromise, NewEvent} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import {validateEvent} from '@lumenflow/schemas/validators';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {NeedsArchive} from '../archive/open-stored.ts';
import type {WorkspaceLock} from '../lock/workspace-lock.ts';
import {diskFailure, throwDiskFailure} from '../log/disk-failure.ts';
import {nodeFileOperations, type FileOperations} from '../log/file-operations.ts';
import {LogCursor, type VisitLine} from '../log/log-cursor.ts';
import {noLine} from '../log/log-line.ts';
import {logStart, type LogPosition} from '../log/log-position.ts';
import {segmentPath} from '../log/segment-files.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {EventSnapshots} from './event-snapshots.ts';
import {readSnapshots, writeSnapshot, type FoundSnapshot, type SnapshotOptions} from './snapshot-files.ts';

/** A place to read from is remembered every so many events. */
const markEvery = 256;

export interface FileEventLogOptions {
  readonly folder: string;
  readonly lock: WorkspaceLock;
  readonly archive: ArchiveReader;
  /** Whether events are on disk before they count; without it they survive the process only. */
  readonly fsync: boolean;
  readonly rotateBytes: number;
  readonly files?: FileOperations;
  readonly onWarning?: (message: string) => void;
  /** How many events are signed: one of them is never cut off. Default: 0. */
  readonly signedLines?: () => number;
  /** Where snapshots of the state are stored; without it, every start reads the whole log. */
  readonly snapshots?: SnapshotOptions;
}

type Listener = (event: KernelEvent) => void;

export class FileEventLog implements EventLog {
  readonly #folder: string;
  readonly #lock: WorkspaceLock;
  readonly #archive: ArchiveReader;
  readonly #fsync: boolean;
  readonly #log: SegmentedLog;
  readonly #reader: LogCursor;
  readonly #marks: LogPosition[];
  readonly #listeners = new Set<Listener>();
  /** The stay in the lock in which all was published. */
  #turn = 0;
  /** The file has events that may still be removed, so nothing is published. */
  #unsettled = false;
  #last: Promise<void> = Promise.resolve();
  #closed = false;
  readonly snapshots?: EventSnapshots;

  private constructor(options: FileEventLogOptions, snapshot?: FoundSnapshot) {
    this.#folder = options.folder;
    this.#lock = options.lock;
    this.#archive = options.archive;
    this.#fsync = options.fsync;
    this.#log = new SegmentedLog({
      folder: options.folder,
      rotateBytes: options.rotateBytes,
      files: options.files ?? nodeFileOperations,
      onWarning: options.onWarning ?? (() => undefined),
      ...(options.signedLines && {signedLines: options.signedLines}),
    });
    this.#reader = new LogCursor({folder: options.folder, from: snapshot?.position});
    this.#marks = snapshot ? [logStart, snapshot.position] : [logStart];
    const {snapshots} = options;
    if (snapshots === undefined) return;
    this.snapshots = new EventSnapshots({
      every: snapshots.every,
      opened: snapshot,
      seq: () => this.#reader.position.seq,
      write: (text) => writeSnapshot(snapshots, {position: this.#reader.position, text}),
      record: (event) => this.transact(() => ({events: [event], result: undefined})),
      onWarning: options.onWarning ?? nothing,
    });
  }

  /** Reads and checks the events after the newest snapshot, or all of them; cuts a torn end. Rejects with KernelError LOG_CORRUPT. */
  static open(options: FileEventLogOptions): Promise<FileEventLog> {
    return options.archive.reading(() => FileEventLog.#open(options));
  }

  static async #open(options: FileEventLogOptions): Promise<FileEventLog> {
    const {folder} = options.snapshots ?? {};
    for (const snapshot of folder === undefined ? [] : readSnapshots(folder)) {
      const events = await FileEventLog.#openAt(options, snapshot);
      if (events !== undefined) return events;
    }
    const events = new FileEventLog(options);
    try {
      await events.settle();
      return events;
    } catch (error) {
      await events.close();
      throw error;
    }
  }

  /** Undefined if the log does not confirm the snapshot. */
  static async #openAt(options: FileEventLogOptions, snapshot: FoundSnapshot): Promise<FileEventLog | undefined> {
    const events = new FileEventLog(options, snapshot);
    try {
      await events.settle();
      if (events.snapshots?.newest() !== undefined) return events;
    } catch (error) {
      // Whether the log or the snapshot is wrong shows when the whole log is read.
      if (!isKernelError(error) || error.code !== 'LOG_CORRUPT') {
        await events.close();
        throw error;
      }
    }
    await events.close();
    return undefined;
  }

  /** How many events this process appended. */
  get appended(): number {
    return this.#log.appended;
  }

  refresh(): void {
    // A failed append that is not yet cut off looks like an event, but does not count.
    if (this.#unsettled || this.#closed || this.#log.hasLeftover) return;
    // While this process has the lock, no other process appends, and its own events are published immediately.
    const {turn} = this.#lock;
    if (turn !== 0 && turn === this.#turn) return;
    try {
      // What is not complete yet, or wrong, is the lock holder's to judge.
      const stop = this.#reader.advance(this.#publish);
      this.#turn = stop.kind === 'end' ? turn : 0;
    } catch (error) {
      throw diskFailure(error);
    }
  }

  transact<T>(decide: () => {readonly events: readonly NewEvent[]; readonly result: T}): Promise<T> {
    if (this.#closed) return Promise.reject(new KernelError('RUNTIME_CLOSED', 'the runtime is closed'));
    const done = this.#last.then(() => this.#transactNow(decide)).catch(throwDiskFailure);
    // The caller gets the failure; the next transaction only waits for the end of this one.
    this.#last = done.then(nothing, nothing);
    return done;
  }

  onEvent(listener: Listener, afterSeq = 0): MaybePromise<() => void> {
    return this.#readThrough(() => {
      const known = this.#readNow({afterSeq});
      for (const event of known) listener(event);
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    });
  }

  read(filter: EventRange): MaybePromise<readonly KernelEvent[]> {
    return this.#readThrough(() => this.#readNow(filter));
  }

  #readThrough<T>(work: () => T): MaybePromise<T> {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof NeedsArchive)) throw error;
      return this.#archive.reading(work);
    }
  }

  #readNow(filter: EventRange): readonly KernelEvent[] {
    const afterSeq = filter.afterSeq ?? 0;
    const until = this.#reader.position.seq;
    const from = this.#marks.findLast(({seq}) => seq <= afterSeq);
    const cursor = new LogCursor({folder: this.#folder, from});
    const limit = Math.min(until, afterSeq + (filter.limit ?? until)) - cursor.position.seq;
    const found: KernelEvent[] = [];
    try {
      if (limit > 0) {
        cursor.advance((line, {seq}) => {
          if (seq > afterSeq) found.push(JSON.parse(line.toString()) as KernelEvent);
        }, limit);
      }
    } finally {
      cursor.close();
    }
    return found;
  }

  /** Moves past all valid events; returns their number. */
  settle(): Promise<number> {
    return this.transact(() => ({events: [], result: this.#reader.position.seq}));
  }

  /** Later events go to a new segment. */
  async startSegment(): Promise<void> {
    const done = this.#last.then(() => this.#startSegmentNow());
    this.#last = done.then(nothing, nothing);
    await done;
  }

  async #startSegmentNow(): Promise<void> {
    await this.#lock.enter();
    try {
      this.#log.catchUp(this.#lock.turn);
      this.#publishWritten();
      this.#log.startSegment();
    } finally {
      this.#lock.leave();
    }
  }

  /** Waits for the transactions under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    this.#log.close();
    this.#reader.close();
  }

  async #transactNow<T>(decide: () => {readonly events: readonly NewEvent[]; readonly result: T}): Promise<T> {
    if (!this.#lock.tryEnter()) await this.#lock.enter();
    try {
      this.#log.catchUp(this.#lock.turn);
      this.#publishWritten();
      const {events, result} = decide();
      if (events.length > 0) await this.#record(events);
      return result;
    } finally {
      this.#lock.leave();
    }
  }

  async #record(events: readonly NewEvent[]): Promise<void> {
    for (const event of events) {
      if (validateEvent({seq: 1, prev: noLine, ...event})) continue;
      throw new KernelError(
        'BROKEN_INVARIANT',
        `an event \`${event.type}\` does not match its schema and was not recorded`,
      );
    }
    const before = this.#log.position;
    this.#turn = 0;
    this.#unsettled = true;
    try {
      this.#log.append(events.map((event) => JSON.stringify(event)));
      if (this.#fsync) await this.#sync(before);
    } finally {
      this.#unsettled = false;
    }
    try {
      this.#publishWritten();
    } catch (error) {
      // The caller learns that nothing was recorded. Events that were never published can still be removed.
      if (this.#reader.position.seq === before.seq) this.#log.cutBack(before);
      throw error;
    }
  }

  async #sync(before: LogPosition): Promise<void> {
    try {
      await this.#log.datasync();
    } catch (error) {
      this.#log.cutBack(before);
      throw error;
    }
  }

  /** Publishes all events of the file; under the lock, no more can appear. */
  #publishWritten(): void {
    const stop = this.#reader.advance(this.#publish);
    const {segment, seq} = this.#reader.position;
    if (stop.kind === 'end' && seq === this.#log.position.seq) return;
    const reason = stop.kind === 'wrong' ? stop.reason : 'is missing';
    const line = `\`${segmentPath(this.#folder, segment)}\` line ${seq - segment + 2}`;
    throw new KernelError('LOG_CORRUPT', `${line} ${reason}`);
  }

  readonly #publish: VisitLine = (line) => {
    const event: unknown = parseOrUndefined(line);
    if (!validateEvent(event)) return false;
    const {position} = this.#reader;
    if (position.seq % markEvery === 0 && position.seq > (this.#marks.at(-1)?.seq ?? 0)) this.#marks.push(position);
    this.snapshots?.notice(event as KernelEvent);
    for (const listener of this.#listeners) listener(event as KernelEvent);
    return true;
  };
}

function nothing(): void {}

function parseOrUndefined(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    // The caller takes it for what it is: not a record.
    return undefined;
  }
}
