// A segmented log as verification reads it.
import {KernelError} from '@lumenflow/kernel';
import {existsSync} from 'node:fs';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import type {CheckpointStore, LogSource} from './log-reader.ts';
import type {CursorStop, LineCursor} from '../log/line-cursor.ts';
import {LogCursor, type LineLocation} from '../log/log-cursor.ts';
import type {LogPosition} from '../log/log-position.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';

export function createSegmentSource(folder: string, checkpoints: CheckpointStore, archive: ArchiveReader): LogSource {
  return {
    location: folder,
    checkpoints,
    cursor: (from?: LogPosition) => readThrough(new LogCursor({folder, from}), archive),
    where: ({seq, segment}: Pick<LineLocation, 'seq' | 'segment'>) =>
      `\`${segmentPath(folder, segment)}\` line ${seq - segment + 1}`,
    gapBefore({segment, seq}: LogPosition) {
      const segments = existsSync(folder) ? listSegments(folder) : [];
      const later = segments.find((first) => first > segment || (first === segment && first > seq + 1));
      return later === undefined ? undefined : segmentPath(folder, later);
    },
  };
}

/** A cursor that restores what it needs. What the archive does not return unchanged is wrong, and no reason to stop. */
function readThrough(cursor: LogCursor, archive: ArchiveReader): LineCursor {
  return {
    get position() {
      return cursor.position;
    },
    moveTo: (position: LogPosition) => cursor.moveTo(position),
    skip: (line, place) => cursor.skip(line, place as LineLocation),
    async advance(visit, limit = Number.POSITIVE_INFINITY): Promise<CursorStop> {
      const end = cursor.position.seq + limit;
      try {
        return await archive.reading(() => {
          const left = end - cursor.position.seq;
          return left > 0 ? cursor.advance(visit, left) : {kind: 'limit'};
        });
      } catch (error) {
        if (!(error instanceof KernelError) || error.code !== 'LOG_CORRUPT') throw error;
        return {kind: 'wrong', reason: `cannot be read: ${error.message}`, lineBytes: 0};
      }
    },
    close: () => cursor.close(),
  };
}
