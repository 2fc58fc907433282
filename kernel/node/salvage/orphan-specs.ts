// Specs of tasks whose creation is not among the events that remain. They would keep their ids from being used again.
import type {KernelEvent} from '@lumenflow/schemas';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {archivedEnd, visitArchived} from '../log/archived-lines.ts';
import {LogCursor} from '../log/log-cursor.ts';
import type {LogPosition} from '../log/log-position.ts';
import {specFileName} from '../tasks/file-task-store.ts';

/** Paths of files, if the event log ends at the position. */
export async function orphanSpecs(
  stateFolder: string,
  {seq}: LogPosition,
  archive: ArchiveStore | undefined,
): Promise<readonly string[]> {
  const folder = join(stateFolder, 'tasks');
  const known = new Set<string>();
  const note = (line: Buffer): void => {
    const event = JSON.parse(line.toString()) as KernelEvent;
    if (event.type === 'task_created') known.add(specFileName(event.task_id));
    if (event.type === 'task_amended') known.add(specFileName(event.task_id, event.spec_hash));
  };
  const events = join(stateFolder, 'events');
  const from = archivedEnd(events);
  const cursor = new LogCursor({folder: events, from});
  try {
    await visitArchived(events, archive, note);
    if (seq > from.seq) cursor.advance(note, seq - from.seq);
  } finally {
    cursor.close();
  }
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.yaml') && !known.has(name)).map((name) => join(folder, name));
}
