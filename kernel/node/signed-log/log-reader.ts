// What signing, proving and verifying need of a log, wherever it is kept.
import type {MaybePromise} from '@lumenflow/kernel/adapters';
import type {LineCursor, LinePlace, LinePosition} from '../log/line-cursor.ts';

/** Signed checkpoints of one log, each written once. */
export interface CheckpointStore {
  /** Where the checkpoints are, for people. */
  readonly location: string;
  /** Sizes that have a checkpoint, in order. */
  sizes(): MaybePromise<readonly number[]>;
  /** Undefined if none has this size. */
  read(size: number): MaybePromise<string | undefined>;
  /** Stores a note durably, unless there is one of this size: of several processes, the first one wins. */
  keep(size: number, note: string): Promise<void>;
  /** Names one checkpoint for people. */
  where(size: number): string;
}

/** One log, as far as it can be verified. */
export interface LogSource {
  /** Where the log is, for people. */
  readonly location: string;
  readonly checkpoints: CheckpointStore;
  /** Default: before the first line. */
  cursor(from?: LinePosition): LineCursor;
  /** Names a line for people, such as a file and a line number. */
  where(line: Pick<LinePlace, 'seq'>): string;
  /** Where the log continues after a gap at the position at which a cursor ended; undefined if there is no gap. */
  gapBefore?(position: LinePosition): string | undefined;
}

/** One log, as far as it can be signed. */
export interface LogReader extends LogSource {
  /** How many lines there are, of all processes. */
  length(): MaybePromise<number>;
  /** Waits until all lines appended so far are durable, with the contents that they refer to; returns how many there are. */
  settle(): Promise<number>;
  /** Makes lines after `seq` durable, of all processes. */
  sync(seq: number): Promise<void>;
  /** How many lines this process appended. */
  appended(): number;
  /** A cursor that may visit lines in the archive without their bytes, because a tree needs their hashes only; default: `cursor`. */
  treeCursor?(): LineCursor;
  /** A stored position, or undefined for any other value. */
  parsePosition(value: unknown): LinePosition | undefined;
  /** Of a log that reports its lines: they need not be read again, and checkpoints are made in the background. */
  readonly live?: LiveLines;
}

export interface LiveLines {
  /** How many lines are known. */
  known(): number;
  /** Calls the listener for each line that this process appends or learns of, in order. */
  onLine(listener: (line: Buffer, place: LinePlace) => void): void;
}

/** The two logs of a workspace. */
export interface WorkspaceLogs<Log extends LogSource = LogReader> {
  readonly events: Log;
  readonly traces: Log;
}
