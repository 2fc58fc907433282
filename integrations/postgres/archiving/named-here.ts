// The contents that records and events name that stay in the database, also after a dry run.
import type {ArchivedSegment, LogName} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';

const linesAtOnce = 20_000;
const tables = {events: 'events', traces: 'records'} as const;

/** Refs; now and then one that only the texts of a line speak of. */
export async function namedHere(database: Database, moved: readonly ArchivedSegment[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const log of ['events', 'traces'] as const) {
    const [{first, last} = {first: null, last: null}] = await database.ask<{first: string | null; last: string | null}>(
      {
        text: `select min(seq) as first, max(seq) as last from ${tables[log]} where line is not null and seq > $1`,
        values: [lastMoved(log, moved)],
      },
    );
    if (first === null || last === null) continue;
    for (let from = Number(first); from <= Number(last); from += linesAtOnce) {
      const rows = await database.ask<{ref: string}>({
        text: `select distinct found[1] as ref from ${tables[log]}, regexp_matches(line, '"(inputs/[^"\\\\]{1,200})"', 'g') as found
          where seq >= $1 and seq < $2 and line is not null`,
        values: [from, from + linesAtOnce],
      });
      for (const {ref} of rows) named.add(ref);
    }
  }
  return named;
}

function lastMoved(log: LogName, moved: readonly ArchivedSegment[]): number {
  return Math.max(0, ...moved.filter((segment) => segment.log === log).map(({last_seq}) => last_seq));
}
