// Reading a log forward, wherever it is kept.
import type {MaybePromise} from '@lumenflow/kernel/adapters';

/** Between two lines. Stores may add what they need to find it again; all of it is JSON. */
export interface LinePosition {
  /** The last line before the position; 0 if there is none. */
  readonly seq: number;
  /** SHA-256 of that line, hex; 64 zeros if there is none. */
  readonly head: string;
}

export interface LinePlace {
  readonly seq: number;
  /** SHA-256 of the line's bytes, hex: the next line's `prev`. */
  readonly hash: string;
}

/** `false` says that the line is not what it should be; the cursor then stays before it. A line's bytes may be reused after the call. */
export type VisitLine = (line: Buffer, place: LinePlace) => boolean | undefined | void;

/** Why a cursor stopped: there are no more lines, the limit is reached, a line has no end, or a line is wrong. */
export type CursorStop =
  | {readonly kind: 'end' | 'limit' | 'partial'}
  | {readonly kind: 'wrong'; readonly reason: string; readonly lineBytes: number};

/** Reads a log forward, and checks that each line continues the chain. */
export interface LineCursor {
  readonly position: LinePosition;
  moveTo(position: LinePosition): void;
  /** Moves past the next line without reading it. */
  skip(line: Buffer, place: LinePlace): void;
  /** Visits complete lines, as many as `limit` (default: all). */
  advance(visit: VisitLine, limit?: number): MaybePromise<CursorStop>;
  close(): void;
}
