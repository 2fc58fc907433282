// Both logs of a state on files, as they are read without a lock and without any right to write.
import {join} from 'node:path';
import {ArchiveReader} from '../archive/archive-reader.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import type {LogSource, WorkspaceLogs} from './log-reader.ts';
import {createNoteFiles} from './note-files.ts';
import {createSegmentSource} from './segment-source.ts';

/** `stateFolder` is `.lumenflow/kernel` or a copy of it. Without `store`, archived lines cannot be read. */
export function fileLogs(stateFolder: string, store?: ArchiveStore): WorkspaceLogs<LogSource> {
  const archive = new ArchiveReader(store, stateFolder);
  const evidence = join(stateFolder, 'evidence');
  return {
    events: createSegmentSource(
      join(stateFolder, 'events'),
      createNoteFiles(join(evidence, 'tree', 'events')),
      archive,
    ),
    traces: createSegmentSource(join(evidence, 'traces'), createNoteFiles(join(evidence, 'tree', 'traces')), archive),
  };
}
