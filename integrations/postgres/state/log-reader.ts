// Both logs as signing, proofs and verification read them.
import {createLineCursor, type CheckpointStore, type LinePosition, type LogReader} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';
import type {ArchivedLines} from './archived-lines.ts';
import {linesOf, type LogTable} from './lines-of.ts';
import {createTreeCursor} from './tree-cursor.ts';

export interface LogReaderOptions {
  readonly database: Database;
  readonly table: LogTable;
  readonly archived: ArchivedLines;
  /** Waits until what this process has sent is recorded. */
  settle(): Promise<unknown>;
  appended(): number;
}

const heads = {events: 'events', records: 'traces'} as const;

export function createLogReader({database, table, archived, settle, appended}: LogReaderOptions): LogReader {
  const location = `${database.location} ${table}`;
  const length = async (): Promise<number> => {
    const [row] = await database.ask<{seq: string}>({
      name: 'length',
      text: 'select seq from heads where log = $1',
      values: [heads[table]],
    });
    return Number(row?.seq);
  };
  return {
    location,
    checkpoints: createCheckpointStore(database, heads[table]),
    cursor: (from) => createLineCursor(linesOf(database, table, archived), from),
    treeCursor: () => createTreeCursor(createLineCursor(linesOf(database, table, archived)), archived),
    where: ({seq}) => `${location} line ${seq}`,
    length,
    async settle() {
      await settle();
      return await length();
    },
    // The database has it on disk before it acknowledges.
    sync: () => Promise.resolve(),
    appended,
    parsePosition,
  };
}

function createCheckpointStore(database: Database, log: string): CheckpointStore {
  return {
    location: `${database.location} checkpoints of ${log}`,
    where: (size) => `${database.location} checkpoint of ${log} at ${size}`,
    async sizes() {
      const rows = await database.ask<{size: string}>({
        name: 'checkpoint-sizes',
        text: 'select size from checkpoints where log = $1 order by size',
        values: [log],
      });
      return rows.map(({size}) => Number(size));
    },
    async read(size) {
      const [row] = await database.ask<{note: string}>({
        text: 'select note from checkpoints where log = $1 and size = $2',
        values: [log, size],
      });
      return row?.note;
    },
    async keep(size, note) {
      await database.ask({text: 'select keep_checkpoint($1, $2, $3)', values: [log, size, note]});
    },
  };
}

function parsePosition(value: unknown): LinePosition | undefined {
  const {seq, head} = (value ?? {}) as Partial<LinePosition>;
  return Number.isSafeInteger(seq) && Number(seq) >= 0 && typeof head === 'string'
    ? {seq: Number(seq), head}
    : undefined;
}
