// Writes lost notes of archived segments again. Nothing is cut and nothing is lost by it: a damaged note stays beside the new one.
import {KernelError} from '@lumenflow/kernel';
import {existsSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {archivedNotePath, writeArchived, type ArchivedFile} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import type {LogName} from '../log/log-name.ts';
import {logFilesOf} from './log-files.ts';
import {findLostNotes} from './lost-notes.ts';

/** Archived lines of a log whose notes are lost. */
export interface LostNotes {
  readonly log: LogName;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly notes: number;
}

export interface NotesOptions {
  /** Absolute path of `.lumenflow/kernel`. */
  readonly stateFolder: string;
  readonly archive?: ArchiveStore | undefined;
}

const logs: readonly LogName[] = ['events', 'traces'];

/** What `restoreNotes` would write, without a lock. Rejects as it does. */
export async function lostNotesOf(options: NotesOptions): Promise<readonly LostNotes[]> {
  return (await findAll(options)).map(({log, files}) => describe(log, files));
}

/**
 * Returns what was written, at most one entry for each log. Rejects with KernelError: LOCK_UNAVAILABLE, and LOG_UNAVAILABLE or LOG_CORRUPT if the archive
 * does not prove which objects have the lines.
 */
export async function restoreNotes({
  processes,
  ...options
}: NotesOptions & {readonly processes: ProcessRegistry}): Promise<readonly LostNotes[]> {
  const lock = new WorkspaceLock({folder: join(options.stateFolder, 'lock'), processes});
  await lock.enter();
  try {
    const all = await findAll(options);
    for (const {log, files} of all) {
      const {folder} = logFilesOf(options.stateFolder, log);
      for (const file of files) {
        const path = archivedNotePath(folder, file.name);
        if (existsSync(path)) renameSync(path, `${path}.damaged`);
        await writeArchived(folder, file);
      }
    }
    return all.map(({log, files}) => describe(log, files));
  } finally {
    lock.leave();
    lock.close();
  }
}

/** Rejects with KernelError LOG_CORRUPT if notes are lost: without them, archived lines look like lost ones. */
export async function mustHaveNotes(options: NotesOptions): Promise<void> {
  const [lost] = await findAll(options);
  if (lost === undefined) return;
  const {log, files} = lost;
  const {first_seq, last_seq} = describe(log, files);
  const path = join(logFilesOf(options.stateFolder, log).folder, 'archived');
  throw new KernelError(
    'LOG_CORRUPT',
    `\`${path}\` has no valid note of the archived lines ${first_seq} to ${last_seq}: write it again first`,
  );
}

interface FoundNotes {
  readonly log: LogName;
  readonly files: readonly ArchivedFile[];
}

async function findAll({stateFolder, archive}: NotesOptions): Promise<readonly FoundNotes[]> {
  const found: FoundNotes[] = [];
  for (const log of logs) found.push({log, files: await findLostNotes({stateFolder, log, archive})});
  return found.filter(({files}) => files.length > 0);
}

function describe(log: LogName, files: readonly ArchivedFile[]): LostNotes {
  const first_seq = Number.parseInt(files[0]?.name ?? '', 10);
  return {log, first_seq, last_seq: files.at(-1)?.last_seq ?? 0, notes: files.length};
}
