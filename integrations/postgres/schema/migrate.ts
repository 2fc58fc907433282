// Creates and changes the schema of a workspace: each migration once, in order, and down again for a roll-back.
import {KernelError} from '@lumenflow/kernel';
import type {Database} from '../connection/database.ts';
import {archivingFunctions, hostFunctions, putArchivedContents} from './archive-functions.ts';
import {archiveTables, copyGrants, dropArchiveTables, requireNothingArchived} from './archive-tables.ts';
import {functions} from './functions.ts';
import {namedRecordFunctions} from './named-record-functions.ts';
import {tables} from './tables.ts';

export interface Migration {
  readonly version: number;
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Runs before `down`, unless all records are deleted: fails if records would be lost. */
  readonly beforeDown?: string;
}

/** With the rights of its owner, and in no other schema than the current one. */
function asOwner(statement: string): string {
  return statement.replace(' as $', () => ' security definer set search_path from current as $');
}

const nameOf = (statement: string): string => /function (\w+)/u.exec(statement)?.[1] ?? '';
const drop = (statement: string): string => `drop function ${nameOf(statement)}`;
/** Nobody but their owner, and roles that are named. */
const restrict = (statement: string): string => `revoke execute on function ${nameOf(statement)} from public`;
const putContents = functions.find((statement) => nameOf(statement) === 'put_contents') ?? '';

/** In order of their versions. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    up: [tables, ...functions.map(asOwner)],
    down: [
      ...functions.map(drop),
      'drop table heads, batches, events, records, open_calls, contents, specs, checkpoints, processes',
    ],
  },
  {
    version: 2,
    up: [
      archiveTables,
      ...[putArchivedContents, ...hostFunctions, ...archivingFunctions].map(asOwner),
      ...archivingFunctions.map(restrict),
      copyGrants,
    ],
    beforeDown: requireNothingArchived,
    down: [
      ...[...hostFunctions, ...archivingFunctions].map(drop),
      asOwner(putContents.replace('create function', 'create or replace function')),
      ...dropArchiveTables,
    ],
  },
  {
    version: 3,
    up: namedRecordFunctions.map(asOwner),
    down: namedRecordFunctions.map(drop),
  },
];

export const newestVersion: number = migrations.at(-1)?.version ?? 0;

/** Two hosts that start at once do not create it twice. */
const lock = `select pg_advisory_xact_lock(hashtext('lumenflow ' || current_setting('search_path')))`;

/** The version of the schema; 0 if there is none. */
export async function versionOf(database: Database): Promise<number> {
  const [found] = await database.ask<{exists: boolean}>({
    text: 'select to_regclass($1) is not null as exists',
    values: [`${database.schema}.migrations`],
  });
  if (found?.exists !== true) return 0;
  const [row] = await database.ask<{version: number | null}>({text: 'select max(version) as version from migrations'});
  return row?.version ?? 0;
}

/** Brings the schema to a version, up or down; default the newest. Returns the versions before and after. */
export async function migrate(
  database: Database,
  to: number = newestVersion,
): Promise<{readonly from: number; readonly to: number}> {
  return await database.transact(async (ask) => {
    const run = async (text: string): Promise<void> => void (await ask({text}));
    await run(lock);
    await run(`create schema if not exists ${database.schema}`);
    await run(
      'create table if not exists migrations (version int primary key, done_at timestamptz not null default now())',
    );
    const [row] = await ask({text: 'select coalesce(max(version), 0) as version from migrations'});
    const from = Number(row?.['version']);
    if (to > newestVersion) throw unknownVersion(to);
    if (from > newestVersion) throw tooNew(database, from);
    for (const {version, up} of migrations) {
      if (version <= from || version > to) continue;
      for (const statement of up) await run(statement);
      await ask({text: 'insert into migrations values ($1)', values: [version]});
    }
    for (const {version, beforeDown, down} of migrations.toReversed()) {
      if (version > from || version <= to) continue;
      if (beforeDown !== undefined && to > 0) await run(beforeDown);
      for (const statement of down) await run(statement);
      await ask({text: 'delete from migrations where version = $1', values: [version]});
    }
    return {from, to};
  });
}

/** Allows a role to append and read, and nothing else. With `archives`, it also removes what is in the archive. */
export async function grantUse(
  database: Database,
  role: string,
  {archives = false}: {readonly archives?: boolean} = {},
): Promise<void> {
  const name = `"${role.replaceAll('"', '""')}"`;
  const {schema} = database;
  const all = [...functions, ...hostFunctions, ...namedRecordFunctions, ...(archives ? archivingFunctions : [])];
  await database.transact(async (ask) => {
    await ask({text: `grant usage on schema ${schema} to ${name}`});
    await ask({text: `grant select on all tables in schema ${schema} to ${name}`});
    for (const each of all) await ask({text: `grant execute on function ${schema}.${nameOf(each)} to ${name}`});
  });
}

/** Rejects with KernelError LOAD_FAILED if hosts of this version cannot use the schema. */
export async function checkVersion(database: Database): Promise<void> {
  const version = await versionOf(database);
  if (version === newestVersion) return;
  if (version > newestVersion) throw tooNew(database, version);
  const found =
    version === 0 ? 'has no records of a workspace' : `has version ${version}, and this host needs ${newestVersion}`;
  throw new KernelError('LOAD_FAILED', `${database.location} ${found}: run \`lumenflow state migrate\``);
}

function tooNew(database: Database, version: number): KernelError {
  const message = `${database.location} has version ${version}, and this host knows ${newestVersion}: update the host`;
  return new KernelError('LOAD_FAILED', message);
}

function unknownVersion(version: number): KernelError {
  return new KernelError('LOAD_FAILED', `there is no version ${version} of the schema: the newest is ${newestVersion}`);
}
