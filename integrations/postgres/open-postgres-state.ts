// Opens the records of a workspace in PostgreSQL. Any number of hosts on any number of machines share them.
import {KernelError} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {ArchiveStore, LogName, WorkspaceState} from '@lumenflow/kernel/node';
import {ArchiveLock} from './state/archive-lock.ts';
import {archiveState} from './archiving/archive-state.ts';
import {Database, type DatabaseOptions} from './connection/database.ts';
import {checkVersion} from './schema/migrate.ts';
import {ArchivedLines} from './state/archived-lines.ts';
import {ArchivedObjects} from './state/archived-objects.ts';
import {createCosignatureTable} from './state/cosignature-table.ts';
import {PostgresContentStore} from './state/content-store.ts';
import {PostgresEventLog} from './state/event-log.ts';
import {PostgresEvidenceStore} from './state/evidence-store.ts';
import {createLogReader} from './state/log-reader.ts';
import {listen} from './state/notifications.ts';
import {openProcessLeases, type ProcessLeases} from './state/process-leases.ts';
import {RecordBatches} from './state/record-batches.ts';
import {createTaskStore} from './state/task-store.ts';

export interface PostgresStateOptions extends DatabaseOptions {
  /** How long another host may be unseen before it counts as ended, in ms; default 10,000. */
  readonly leaseMs?: number | undefined;
  /** Default: every host keeps a lease in the database. */
  readonly processes?: ProcessRegistry | undefined;
  /** Where archived parts are; without it they cannot be read. */
  readonly archive?: ArchiveStore | undefined;
  /** Bytes of an object in the archive; default 8 MiB. */
  readonly archivedObjectBytes?: number;
  /** Called before each step of archiving. */
  readonly onArchiveStep?: (step: string) => void;
  /** Events between two snapshots of the state; default 1,000, and more for a long log. */
  readonly snapshotEvery?: number;
  /** Called with failures in the background. */
  readonly onWarning?: (message: string) => void;
}

/** Rejects with KernelError: LOAD_FAILED if the schema does not have this version, LOG_UNAVAILABLE. */
export async function openPostgresState(options: PostgresStateOptions): Promise<WorkspaceState> {
  const {onWarning = () => undefined, leaseMs, snapshotEvery} = options;
  const database = new Database(options);
  let leases: ProcessLeases | undefined;
  try {
    await checkVersion(database);
    const processes = options.processes ?? (leases = await openProcessLeases({database, leaseMs, onWarning}));
    const archive = archiveOf(database, options);
    const {processId: writer} = processes;
    const events = await PostgresEventLog.open({
      database,
      writer,
      archived: archive.archived.events,
      snapshotEvery,
      onWarning,
    });
    return stateOf({database, processes, events, archive}, options);
  } catch (error) {
    try {
      await leases?.close();
    } finally {
      await database.close();
    }
    throw error;
  }
}

interface OpenArchive {
  readonly objects: ArchivedObjects;
  readonly archived: Readonly<Record<LogName, ArchivedLines>>;
  readonly lock: ArchiveLock;
}

function archiveOf(database: Database, {archive}: PostgresStateOptions): OpenArchive {
  const objects = new ArchivedObjects(archive);
  const archived = {
    events: new ArchivedLines(database, 'events', objects),
    traces: new ArchivedLines(database, 'traces', objects),
  };
  return {objects, archived, lock: new ArchiveLock(database)};
}

interface OpenParts {
  readonly database: Database;
  readonly processes: ProcessRegistry | ProcessLeases;
  readonly events: PostgresEventLog;
  readonly archive: OpenArchive;
}

function stateOf({database, processes, events, archive}: OpenParts, options: PostgresStateOptions): WorkspaceState {
  const {processId} = processes;
  const {objects, archived, lock} = archive;
  const contents = new PostgresContentStore(database, objects, lock);
  const batches = new RecordBatches(database, processId, () => contents.forgetAll());
  const evidence = new PostgresEvidenceStore(database, batches, archived.traces);
  const notifications = listen(database, () => events.refresh());
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await notifications.close();
    try {
      await evidence.close();
      await contents.close();
      await events.close();
      if ('close' in processes) await processes.close();
    } finally {
      await database.close();
    }
  };
  return {
    events,
    evidence,
    contents,
    tasks: createTaskStore(database),
    processes,
    logs: {
      events: createLogReader({
        database,
        table: 'events',
        archived: archived.events,
        settle: () => events.settle(),
        appended: () => events.appended,
      }),
      traces: createLogReader({
        database,
        table: 'records',
        archived: archived.traces,
        settle: () => batches.settle(),
        appended: () => batches.appended,
      }),
    },
    cosignatures: createCosignatureTable(database),
    checkWritable: () => checkWritable(database, processId),
    openContentReader: () => ({read: (ref) => contents.read(ref), close: () => undefined}),
    ...archiveMethod({database, objects, archived, lock, events}, options),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Absent without an archive. */
function archiveMethod(
  parts: OpenArchive & Pick<OpenParts, 'database' | 'events'>,
  options: PostgresStateOptions,
): Pick<WorkspaceState, 'archive'> {
  const {archive: store, archivedObjectBytes: objectBytes = 8 * 1024 * 1024, onArchiveStep: onStep} = options;
  if (store === undefined) return {};
  return {
    archive: (order) => archiveState({...parts, store, objectBytes, onStep: onStep ?? (() => undefined)}, order),
  };
}

/** A standby answers queries and rejects appends. A host whose lease is over is rejected, too. */
async function checkWritable(database: Database, processId: string): Promise<void> {
  const [row] = await database.ask<{isReadOnly: boolean}>({
    text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly", check_writer($1)`,
    values: [processId],
  });
  if (row?.isReadOnly === true) throw new KernelError('LOG_UNAVAILABLE', `${database.location} is read-only`);
}
