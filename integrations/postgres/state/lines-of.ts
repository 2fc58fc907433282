// Reads the lines of a log by their sequence number.
import type {FetchLines} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';

export type LogTable = 'events' | 'records';

/** A line has at most a few KiB, so this is some MiB. */
export function linesOf(database: Database, table: LogTable): FetchLines {
  return async (seq, limit) => {
    const rows = await database.ask<{line: string}>({
      name: `lines-${table}`,
      text: `select line from ${table} where seq > $1 order by seq limit $2`,
      values: [seq, limit],
    });
    return rows.map(({line}) => line);
  };
}
