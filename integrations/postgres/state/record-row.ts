// What the database keeps beside a record's line, to answer questions about calls.
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';

export interface RecordRow {
  readonly body: string;
  readonly kind: 's' | 'p' | 'f';
  readonly receipt_id: string;
  readonly task_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly tool_name?: string | undefined;
  readonly by?: string | undefined;
  readonly result?: string | undefined;
  readonly started_at?: string | undefined;
}

export function recordRow(record: NewEvidenceRecord, body: string): RecordRow {
  const row = {body, receipt_id: indexed(record.receipt_id)};
  if (record.type === 'tool_call_progress') return {...row, kind: 'p'};
  if (record.type === 'tool_call_finished') return {...row, kind: 'f', result: record.result};
  const {task_id, session_id, tool_name, by, timestamp} = record;
  return {
    ...row,
    kind: 's',
    task_id: indexed(task_id),
    session_id: indexed(session_id),
    tool_name: indexed(tool_name),
    by: by === undefined ? undefined : indexed(by),
    started_at: timestamp,
  };
}

/** PostgreSQL has no text with a zero character. The line keeps it, as JSON does. */
export function indexed(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}
