// A segmented log as verification reads it.
import {existsSync} from 'node:fs';
import type {CheckpointStore, LogSource} from './log-reader.ts';
import {LogCursor, type LineLocation} from '../log/log-cursor.ts';
import type {LogPosition} from '../log/log-position.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';

export function createSegmentSource(folder: string, checkpoints: CheckpointStore): LogSource {
  return {
    location: folder,
    checkpoints,
    cursor: (from?: LogPosition) => new LogCursor({folder, from}),
    where: ({seq, segment}: Pick<LineLocation, 'seq' | 'segment'>) =>
      `\`${segmentPath(folder, segment)}\` line ${seq - segment + 1}`,
    gapBefore({segment, seq}: LogPosition) {
      const segments = existsSync(folder) ? listSegments(folder) : [];
      const later = segments.find((first) => first > segment || (first === segment && first > seq + 1));
      return later === undefined ? undefined : segmentPath(folder, later);
    },
  };
}
