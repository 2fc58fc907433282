// What the archiving of a state in PostgreSQL works on.
import type {EventLog} from '@lumenflow/kernel/adapters';
import type {ArchiveStore, LogName, OnStep} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';
import type {ArchivedLines} from '../state/archived-lines.ts';
import type {ArchivedObjects} from '../state/archived-objects.ts';
import type {ArchiveLock} from '../state/archive-lock.ts';

export interface ArchivedParts {
  readonly database: Database;
  readonly store: ArchiveStore;
  readonly objects: ArchivedObjects;
  readonly lock: ArchiveLock;
  readonly archived: Readonly<Record<LogName, ArchivedLines>>;
  readonly events: EventLog;
  /** Of one object; default 8 MiB. */
  readonly objectBytes: number;
  /** Called before each step; tests end the process there. */
  readonly onStep: OnStep;
}
