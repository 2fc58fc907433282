// Moves old parts of a state in PostgreSQL to its archive: first lines of both logs, then the contents that only these name.
import {KernelError} from '@lumenflow/kernel';
import type {ArchiveOrder, ArchiveReport, LogName} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';
import {archivingFunctions} from '../schema/archive-functions.ts';
import {archiveContents} from './archive-contents.ts';
import {archiveLog} from './archive-log.ts';
import type {ArchivedParts} from './archived-parts.ts';
import {deleteSuperseded} from '../state/shred-archived.ts';

/** Rejects with KernelError: LOG_UNAVAILABLE, LOG_CORRUPT. Everything that was moved until then is safe, and the next call continues. */
export async function archiveState(parts: ArchivedParts, order: ArchiveOrder): Promise<ArchiveReport> {
  const {database, store, lock} = parts;
  await requireRight(database);
  return await lock.alone(async (check) => {
    if (order.dryRun !== true) await deleteSuperseded(parts);
    const through = {traces: await lastClosed(database), events: await lastInSnapshot(parts)};
    const segments = [
      ...(await archiveLog(parts, order, {log: 'traces', through: through.traces, check})),
      ...(await archiveLog(parts, order, {log: 'events', through: through.events, check})),
    ];
    const contents = await archiveContents(parts, order, {segments, check});
    return {archive: store.location, segments, contents};
  });
}

/** Found before anything is copied. */
async function requireRight(database: Database): Promise<void> {
  const names = archivingFunctions.map((statement) => /function (\w+)/u.exec(statement)?.[1] ?? '');
  const [row] = await database.ask<{role: string; may: boolean}>({
    text: `select current_user as role, coalesce(bool_and(has_function_privilege(oid, 'execute')), false) as may
      from pg_proc where pronamespace = $1::regnamespace and proname = any($2)`,
    values: [database.schema, names],
  });
  if (row?.may === true) return;
  const {role = ''} = row ?? {};
  throw new KernelError(
    'LOG_UNAVAILABLE',
    `${database.location}: the role \`${role}\` must not archive: use another role's address, or run \`lumenflow state migrate --grant-archive ${role}\` as the owner`,
  );
}

const signed = (log: LogName): string => `select coalesce(max(size), 0) from checkpoints where log = '${log}'`;

/** Calls that are open keep all records from theirs on. */
async function lastClosed(database: Database): Promise<number> {
  const [row] = await database.ask<{last: string}>({
    text: `select least((${signed('traces')}), (select min(start_seq) - 1 from open_calls)) as last`,
  });
  return Number(row?.last ?? 0);
}

/** Hosts that start need all later events. */
async function lastInSnapshot({database, events}: ArchivedParts): Promise<number> {
  const [row] = await database.ask<{last: string}>({text: `select (${signed('events')}) as last`});
  return Math.min(Number(row?.last ?? 0), events.snapshots?.newest()?.throughSeq ?? 0);
}
