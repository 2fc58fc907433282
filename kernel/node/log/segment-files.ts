// A log's segments: files of JSON Lines, each named by the sequence number of its first line.
import {closeSync, fsyncSync, openSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {FileOperations} from './file-operations.ts';

const pattern = /^([0-9]{16})\.jsonl$/u;

export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(16, '0')}.jsonl`;
}

export function segmentPath(folder: string, firstSeq: number): string {
  return join(folder, segmentName(firstSeq));
}

/** First sequence numbers of the segments, in order. */
export function listSegments(folder: string): readonly number[] {
  const found = readdirSync(folder).flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return found.map(Number).toSorted((a, b) => a - b);
}

/** Makes lines after `afterSeq` durable, of all processes. */
export async function syncSegments(files: FileOperations, folder: string, afterSeq: number): Promise<void> {
  const segments = listSegments(folder);
  const from = Math.max(
    0,
    segments.findLastIndex((first) => first <= afterSeq + 1),
  );
  for (const first of segments.slice(from)) {
    const fd = openSync(segmentPath(folder, first), 'r');
    try {
      await files.datasync(fd);
    } finally {
      closeSync(fd);
    }
  }
  syncFolder(folder);
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  syncPath(folder);
}

/** Makes one segment durable, of any process. */
export function syncSegment(folder: string, firstSeq: number): void {
  syncPath(segmentPath(folder, firstSeq));
}

function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
