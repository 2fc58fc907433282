// The sessions that may have lost events: those that damaged segments name, because most of their bytes are intact, and those of calls that were
// recorded since.
import {noteText, parseCheckpoint} from '@lumenflow/kernel/adapters';
import {existsSync, readFileSync} from 'node:fs';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {archivedEnd, visitArchived} from '../log/archived-lines.ts';
import {LogCursor} from '../log/log-cursor.ts';
import type {LogPosition} from '../log/log-position.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';
import {parseEventsSeen} from '../signed-log/events-seen.ts';
import {createNoteFiles, listNotes} from '../signed-log/note-files.ts';
import {logFilesOf} from './log-files.ts';

const named = /"session_id":"([^"\\]{1,200})"|"of":"(?:session|programs) ([^"\\]{1,200})"/gu;

export interface CutEvents {
  /** Segments of the events that are cut off after the position. */
  readonly paths: readonly string[];
  readonly position: LogPosition;
  readonly archive: ArchiveStore | undefined;
}

/** In order. */
export async function sessionsIn(
  stateFolder: string,
  {paths, position, archive}: CutEvents,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const note = (text: string): void => {
    for (const [, session, tainted] of text.matchAll(named)) found.add(session ?? tainted ?? '');
  };
  const noteFile = (path: string): void => {
    if (existsSync(path)) note(readFileSync(path, 'utf8'));
  };
  for (const path of paths) noteFile(path);
  const {folder, tree} = logFilesOf(stateFolder, 'traces');
  if (!existsSync(folder)) return [...found].toSorted();
  const signedBefore = recordsBefore(tree, position.seq);
  const from = archivedEnd(folder);
  const noteLine = (line: Buffer, {seq}: {readonly seq: number}): void => {
    if (seq > signedBefore) note(line.toString());
  };
  const cursor = new LogCursor({folder, from});
  try {
    if (signedBefore < from.seq) await visitArchived(folder, archive, noteLine);
    const stop = cursor.advance(noteLine);
    const {segment} = cursor.position;
    if (stop.kind === 'wrong') {
      for (const first of listSegments(folder).filter((each) => each >= segment)) noteFile(segmentPath(folder, first));
    }
  } finally {
    cursor.close();
  }
  return [...found].toSorted();
}

/**
 * How many records were signed when the log had no more events than remain. The newest such checkpoint does not count: records can be written
 * between the count of the events and that of the records.
 */
function recordsBefore(tree: string, events: number): number {
  const notes = createNoteFiles(tree);
  const before = listNotes(tree).filter((size) => {
    const checkpoint = parseCheckpoint(noteText(readFileSync(notes.where(size), 'utf8')) ?? '');
    return checkpoint !== undefined && parseEventsSeen(checkpoint.extensions) <= events;
  });
  return before.at(-2) ?? 0;
}
