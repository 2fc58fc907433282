// A location between two lines of a segmented log: what came before it, and where the next line begins.
import {noLine} from './log-line.ts';

export interface LogPosition {
  /** The first sequence number of the segment the position is in; the file may not exist yet. */
  readonly segment: number;
  /** Bytes into the segment. */
  readonly offset: number;
  /** The last line before the position; 0 when there is none. */
  readonly seq: number;
  /** SHA-256 of that line, hex. */
  readonly head: string;
}

export const logStart: LogPosition = {segment: 1, offset: 0, seq: 0, head: noLine};

/** A stored position; undefined for any other value. */
export function parseLogPosition(value: unknown): LogPosition | undefined {
  const {segment, offset, seq, head} = (value ?? {}) as Partial<LogPosition>;
  if (!isCount(segment) || !isCount(offset) || !isCount(seq) || typeof head !== 'string') return undefined;
  return {segment, offset, seq, head};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
