// Reads the lines of a log by their sequence number, in the database and in the archive.
import type {FetchLines} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';
import type {ArchivedLines} from './archived-lines.ts';

export type LogTable = 'events' | 'records';

interface LineRow {
  readonly seq: string;
  /** Null if it is in the archive. */
  readonly line: string | null;
}

/** A line has at most a few KiB, so this is some MiB. */
export function linesOf(database: Database, table: LogTable, archived: ArchivedLines): FetchLines {
  return async (seq, limit) => {
    if (seq < archived.through) return await archived.after(seq, limit);
    const rows = await database.ask<LineRow>({
      name: `lines-${table}`,
      text: `select seq, line from ${table} where seq > $1 order by seq limit $2`,
      values: [seq, limit],
    });
    const here = linesFrom(rows, seq + 1);
    if (here.length > 0 || rows.length === 0) return here;
    const there = await archived.after(seq, limit);
    // Lines that are nowhere: the next one does not continue the chain.
    return there.length > 0 ? there : rows.map(({line}) => line ?? '');
  };
}

/** Those without a gap. */
function linesFrom(rows: readonly LineRow[], first: number): readonly string[] {
  const gap = rows.findIndex(({seq, line}, at) => line === null || Number(seq) !== first + at);
  return rows.slice(0, gap < 0 ? rows.length : gap).map(({line}) => line ?? '');
}
