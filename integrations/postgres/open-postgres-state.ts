// Opens the records of a workspace in PostgreSQL. Any number of hosts on any number of machines share them.
import {KernelError} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {WorkspaceState} from '@lumenflow/kernel/node';
import {Database, type DatabaseOptions} from './connection/database.ts';
import {checkVersion} from './schema/migrate.ts';
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
  /** Called with failures in the background. */
  readonly onWarning?: (message: string) => void;
}

/** Rejects with KernelError: LOAD_FAILED if the schema does not have this version, LOG_UNAVAILABLE. */
export async function openPostgresState(options: PostgresStateOptions): Promise<WorkspaceState> {
  const {onWarning = () => undefined, leaseMs} = options;
  const database = new Database(options);
  let state: WorkspaceState | undefined;
  try {
    await checkVersion(database);
    const leases = options.processes ?? (await openProcessLeases({database, leaseMs, onWarning}));
    state = stateOf(database, leases);
    await state.events.refresh();
    return state;
  } catch (error) {
    await (state ?? database).close();
    throw error;
  }
}

function stateOf(database: Database, processes: ProcessRegistry | ProcessLeases): WorkspaceState {
  const {processId} = processes;
  const events = new PostgresEventLog(database, processId);
  const batches = new RecordBatches(database, processId);
  const evidence = new PostgresEvidenceStore(database, batches);
  const contents = new PostgresContentStore(database);
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
        settle: () => events.settle(),
        appended: () => events.appended,
      }),
      traces: createLogReader({
        database,
        table: 'records',
        settle: () => batches.settle(),
        appended: () => batches.appended,
      }),
    },
    checkWritable: () => checkWritable(database, processId),
    openContentReader: () => ({read: (ref) => contents.read(ref), close: () => undefined}),
    close() {
      closing ??= close();
      return closing;
    },
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
