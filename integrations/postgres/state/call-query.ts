// The statement that finds calls, newest first.
import type {EvidenceFilter} from '@lumenflow/kernel';
import type {Question} from '../connection/database.ts';
import {indexed} from './record-row.ts';

/** Rows have `receipt_id` and `seq` of the start. */
export function callQuery(filter: EvidenceFilter, limit: number): Question {
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const conditions = [`s.kind = 's'`];
  const equal = {
    task_id: filter.task_id,
    session_id: filter.session_id,
    tool_name: filter.tool_name,
    made_by: filter.by,
  };
  for (const [column, wanted] of Object.entries(equal)) {
    if (wanted !== undefined) conditions.push(`s.${column} = ${value(indexed(wanted))}`);
  }
  if (filter.since !== undefined) conditions.push(`s.started_at >= ${value(filter.since)}`);
  if (filter.until !== undefined) conditions.push(`s.started_at <= ${value(filter.until)}`);
  if (filter.before_seq !== undefined) conditions.push(`s.seq < ${value(filter.before_seq)}`);
  const ofResult = resultJoin(filter.result, value);
  return {
    text: `select s.receipt_id, s.seq from ${ofResult} where ${conditions.join(' and ')} order by s.seq desc limit ${value(limit)}`,
    values,
  };
}

function resultJoin(result: EvidenceFilter['result'], value: (given: unknown) => string): string {
  if (result === undefined) return 'records s';
  if (result === 'open') return 'records s join open_calls o on o.start_seq = s.seq';
  return `records s join records f on f.start_seq = s.seq and f.kind = 'f' and f.result = ${value(result)}`;
}
