// A record as JSON text, which the log completes with its location. Searchable fields come first and in a fixed order, so that an
// index can be built without parsing whole records.
import {KernelError} from '@lumenflow/kernel';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {noLine} from '../log/log-line.ts';

const locationLength = JSON.stringify({seq: 1, prev: noLine}).length;

/** Throws KernelError BROKEN_INVARIANT for a value that is not a record, because it would corrupt the log permanently. */
export function recordBody(record: NewEvidenceRecord): string {
  const ordered = inOrder(record);
  let text: string;
  try {
    text = JSON.stringify(ordered);
  } catch (cause) {
    throw broken(record, String(cause), cause);
  }
  if (!validateEvidenceRecord(ordered)) {
    const [error] = validateEvidenceRecord.errors ?? [];
    throw broken(record, `${error?.instancePath ?? ''} ${error?.message ?? ''}`);
  }
  return `{${text.slice(locationLength)}`;
}

/** The fields that differ from call to call are at both ends; many records share the part between them. */
function inOrder(record: NewEvidenceRecord): Record<string, unknown> {
  const location = {seq: 1, prev: noLine};
  if (record.type === 'tool_call_started') {
    const {type, receipt_id, timestamp, task_id, session_id, tool_name, by, input_hash, input_ref, ...rest} = record;
    return {
      ...location,
      type,
      receipt_id,
      timestamp,
      task_id,
      session_id,
      tool_name,
      by,
      ...rest,
      input_hash,
      input_ref,
    };
  }
  if (record.type === 'tool_call_finished') {
    const {type, receipt_id, timestamp, result, duration_ms, output_hash, output_ref, ...rest} = record;
    return {...location, type, receipt_id, timestamp, result, ...rest, duration_ms, output_hash, output_ref};
  }
  const {type, receipt_id, timestamp, ...rest} = record;
  return {...location, type, receipt_id, timestamp, ...rest};
}

/** What an index needs to know of a record. */
export type RecordSummary =
  | Pick<
      Extract<EvidenceRecord, {type: 'tool_call_started'}>,
      'type' | 'receipt_id' | 'timestamp' | 'task_id' | 'session_id' | 'tool_name' | 'by'
    >
  | Pick<Extract<EvidenceRecord, {type: 'tool_call_finished'}>, 'type' | 'receipt_id' | 'timestamp' | 'result'>
  | Pick<Extract<EvidenceRecord, {type: 'tool_call_progress'}>, 'type' | 'receipt_id' | 'timestamp'>;

const text = '"([^"\\\\]*)"';
const head = `^\\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","type":"tool_call_`;
const tail = `","receipt_id":${text},"timestamp":${text}`;
const started = new RegExp(
  `${head}started${tail},"task_id":${text},"session_id":${text},"tool_name":${text},(?:"by":${text},)?`,
  'u',
);
const finished = new RegExp(`${head}finished${tail},"result":"(success|failure|denied|crashed)",`, 'u');
/** Longer than any summary whose ids are valid. */
const summaryBytes = 1_024;

const call = /"type":"(tool_call_(?:started|progress|finished))","receipt_id":"([\w.:-]+)"/y;
/** From the comma behind `seq` to `type`. */
const prevLength = `,"prev":"${noLine}",`.length;
/** Longer than the prefix of every record with a receipt id of the kernel. */
const callBytes = 256;

/** The call and the type of a line: the start of a summary, at half its cost. Undefined for a line that is not a record. */
export function callOf(line: Buffer): Pick<RecordSummary, 'type' | 'receipt_id'> | undefined {
  const start = line.toString('latin1', 0, Math.min(line.length, callBytes));
  call.lastIndex = start.indexOf(',') + prevLength;
  const found = call.exec(start);
  const receipt_id = found?.[2];
  return receipt_id === undefined ? summarize(line) : {type: found?.[1] as RecordSummary['type'], receipt_id};
}

/** Undefined for a line that is not a record. */
export function summarize(line: Buffer): RecordSummary | undefined {
  const start = line.toString('utf8', 0, Math.min(line.length, summaryBytes));
  const [, receipt_id, timestamp, task_id, session_id, tool_name, by] = started.exec(start) ?? [];
  if (
    receipt_id !== undefined &&
    timestamp !== undefined &&
    task_id !== undefined &&
    session_id !== undefined &&
    tool_name !== undefined
  ) {
    const who = by !== undefined && {by};
    return {type: 'tool_call_started', receipt_id, timestamp, task_id, session_id, tool_name, ...who};
  }
  const end = finished.exec(start);
  if (end?.[1] !== undefined && end[2] !== undefined) {
    return {type: 'tool_call_finished', receipt_id: end[1], timestamp: end[2], result: end[3] as 'success'};
  }
  return parseOrUndefined(line);
}

function parseOrUndefined(line: Buffer): EvidenceRecord | undefined {
  try {
    return JSON.parse(line.toString()) as EvidenceRecord;
  } catch {
    // The caller takes it for what it is: not a record.
    return undefined;
  }
}

function broken(record: NewEvidenceRecord, reason: string, cause?: unknown): KernelError {
  return new KernelError('BROKEN_INVARIANT', `a record of \`${record.receipt_id}\` cannot be kept: ${reason}`, {cause});
}
