// Salvages that no checkpoint covers yet, because the key was missing when they were made.
import {join} from 'node:path';
import type {KernelEvent} from '@lumenflow/schemas';
import {archivedEnd} from '../log/archived-lines.ts';
import {LogCursor} from '../log/log-cursor.ts';
import {listNotes} from '../signed-log/note-files.ts';

/** How many there are. Only salvages that are signed can be archived. */
export function unsignedSalvages(stateFolder: string): number {
  const signed = listNotes(join(stateFolder, 'evidence', 'tree', 'events')).at(-1) ?? 0;
  const folder = join(stateFolder, 'events');
  const cursor = new LogCursor({folder, from: archivedEnd(folder)});
  let count = 0;
  try {
    cursor.advance((line, {seq}) => {
      if (seq > signed && isSalvage(line)) count += 1;
    });
  } finally {
    cursor.close();
  }
  return count;
}

function isSalvage(line: Buffer): boolean {
  return (
    line.includes('"type":"evidence_salvaged"') &&
    (JSON.parse(line.toString()) as KernelEvent).type === 'evidence_salvaged'
  );
}
