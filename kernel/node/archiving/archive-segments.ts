// The segments of one log that can be archived: whole, signed, older than the bound, and needed by nothing that is still open.
import {KernelError} from '@lumenflow/kernel';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {readArchived} from '../archive/archived-file.ts';
import type {LogName} from '../log/log-name.ts';
import {tailOf} from '../log/find-tail.ts';
import {listSegments, segmentName, segmentPath} from '../log/segment-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import {lineAt} from './line-at.ts';

export interface ArchivableSegment {
  readonly log: LogName;
  readonly first_seq: number;
  readonly last_seq: number;
  /** SHA-256 of the last line. */
  readonly head: string;
  readonly bytes: Buffer;
}

export interface SegmentBounds {
  readonly log: LogName;
  readonly folder: string;
  /** In ms since 1970: no line of an archived segment is as new as this. */
  readonly beforeMs: number;
  /** No archived segment has a line after this one. */
  readonly throughSeq: number;
  /** Whether the last segment counts, too: a dry run starts no new one. */
  readonly withLast: boolean;
}

/** In order. The last segment stays, because it is appended to. Reads one segment at a time. */
export function* archivableSegments(bounds: SegmentBounds): Generator<ArchivableSegment> {
  const {log, folder, beforeMs, throughSeq, withLast} = bounds;
  const all = existsSync(folder) ? listSegments(folder) : [];
  for (const [at, first] of all.entries()) {
    const next = all[at + 1];
    const tail = tailOf(segmentPath(folder, first), first);
    if (tail === undefined || (next === undefined ? !withLast : tail.seq + 1 !== next)) return;
    const bytes = readFileSync(segmentPath(folder, first));
    if (tail.offset !== bytes.length || tail.seq > throughSeq) return;
    const newest = timeOf(bytes.subarray(bytes.lastIndexOf(0x0a, -2) + 1));
    if (!(newest < beforeMs)) return;
    yield {log, first_seq: first, last_seq: tail.seq, head: tail.head, bytes};
  }
}

/** Whether the last segment begins before a time: a new one is then started, so that it can be archived later. */
export function hasOldStart(folder: string, beforeMs: number): boolean {
  const last = existsSync(folder) ? listSegments(folder).at(-1) : undefined;
  const line = last === undefined ? undefined : lineAt(segmentPath(folder, last));
  return line !== undefined && timeOf(line) < beforeMs;
}

/** Removes segments that an interrupted archiving left beside their notes. */
export function leftSegments(folder: string): readonly string[] {
  const all = existsSync(folder) ? listSegments(folder).map(segmentName) : [];
  return all.filter((name) => {
    const archived = readArchived(folder, name);
    if (archived === undefined) return false;
    if (sha256Hex(readFileSync(join(folder, name))) === archived.sha256) return true;
    throw new KernelError(
      'LOG_CORRUPT',
      `\`${join(folder, name)}\` is not the file that was archived as \`${archived.key ?? name}\`: move it away and verify the log`,
    );
  });
}

/** NaN for what has no time. */
function timeOf(line: Buffer): number {
  try {
    const {timestamp} = JSON.parse(line.toString()) as {readonly timestamp?: unknown};
    return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  } catch {
    // A line without a time is never older than a bound, so its segment stays.
    return Number.NaN;
  }
}
