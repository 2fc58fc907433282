// Finds the end of a log by its last segment alone, so that opening a long log costs no more than opening a short one.
import {KernelError} from '@lumenflow/kernel';
import {closeSync, fstatSync, openSync, readSync} from 'node:fs';
import {archivedEnd} from './archived-lines.ts';
import {hashOfLine, readChainLink} from './log-line.ts';
import {logStart, type LogPosition} from './log-position.ts';
import {listSegments, segmentPath} from './segment-files.ts';

const newline = 0x0a;

/** The position after the last complete line. A last line that is not JSON is left to the owner of the lock. */
export function findTail(folder: string): LogPosition {
  const [last, before] = listSegments(folder).toReversed();
  if (last === undefined) return archivedEnd(folder);
  const tail = tailOf(segmentPath(folder, last), last);
  if (tail !== undefined) return tail;
  if (last === 1) return logStart;
  const previous = before === undefined ? archivedEnd(folder) : tailOf(segmentPath(folder, before), before);
  if (previous?.seq !== last - 1) {
    throw new KernelError(
      'LOG_CORRUPT',
      `lines before seq ${last} are missing: no segment before \`${segmentPath(folder, last)}\` ends there`,
    );
  }
  return {segment: last, offset: 0, seq: previous.seq, head: previous.head};
}

/** Undefined when the segment has no complete line. */
export function tailOf(path: string, segment: number): LogPosition | undefined {
  const fd = openSync(path, 'r');
  try {
    const {size} = fstatSync(fd);
    const tail = lastLines(fd, size);
    const lines = tail.lines.filter((line) => line.bytes.length > 0);
    for (const [index, {bytes, offset}] of lines.toReversed().entries()) {
      const location = isJson(bytes) ? readChainLink(bytes) : undefined;
      if (location !== undefined) {
        return {segment, offset: offset + bytes.length + 1, seq: location.seq, head: hashOfLine(bytes)};
      }
      if (index > 0) throw new KernelError('LOG_CORRUPT', `\`${path}\` ends in lines that are not records`);
    }
    if (tail.whole || lines.length === 0) return undefined;
    throw new KernelError('LOG_CORRUPT', `\`${path}\` ends in lines that are not records`);
  } finally {
    closeSync(fd);
  }
}

interface Tail {
  /** The last complete lines, in order, two at least where there are as many. */
  readonly lines: readonly {readonly bytes: Buffer; readonly offset: number}[];
  /** Whether the lines are all of the file. */
  readonly whole: boolean;
}

function lastLines(fd: number, size: number): Tail {
  for (let length = Math.min(size, 64 * 1024); ; length = Math.min(size, length * 8)) {
    const from = size - length;
    const bytes = Buffer.allocUnsafe(length);
    readSync(fd, bytes, 0, length, from);
    const ends = newlinesOf(bytes);
    const whole = length === size;
    if (!whole && ends.length < 3) continue;
    const starts = whole ? [0, ...ends.map((end) => end + 1)] : ends.map((end) => end + 1);
    const complete = whole ? ends : ends.slice(1);
    const lines = complete.map((end, index) => ({
      bytes: bytes.subarray(starts[index], end),
      offset: from + (starts[index] ?? 0),
    }));
    return {lines: lines.slice(-2), whole: whole && lines.length <= 2};
  }
}

function newlinesOf(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, end + 1)) ends.push(end);
  return ends;
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}
