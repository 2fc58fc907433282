// A record as the JSON text that the log will complete with its place. What questions are asked by stands first and
// always in the same order, so that an index can be built without parsing whole records.
import {KernelError, type NewEvidenceRecord} from '@lumenflow/kernel';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {noLine} from '../log/log-line.ts';

const placeLength = JSON.stringify({seq: 1, prev: noLine}).length;

/** Throws KernelError BROKEN_INVARIANT for what is no record: written, it would spoil the log for good. */
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
  return `{${text.slice(placeLength)}`;
}

/** Object literals with spreads, not assignments: this runs for every record, and they are ten times as fast. */
function inOrder(record: NewEvidenceRecord): Record<string, unknown> {
  const {type, receipt_id, timestamp} = record;
  const all: Record<string, unknown> = record;
  if (record.type === 'tool_call_started') {
    const {task_id, session_id, tool_name} = record;
    return {seq: 1, prev: noLine, type, receipt_id, timestamp, task_id, session_id, tool_name, ...all};
  }
  if (record.type === 'tool_call_finished') {
    return {seq: 1, prev: noLine, type, receipt_id, timestamp, result: record.result, ...all};
  }
  return {seq: 1, prev: noLine, type, receipt_id, timestamp, ...all};
}

/** What an index needs to know of a record. */
export type RecordSummary =
  | Pick<
      Extract<EvidenceRecord, {type: 'tool_call_started'}>,
      'type' | 'receipt_id' | 'timestamp' | 'task_id' | 'session_id' | 'tool_name'
    >
  | Pick<Extract<EvidenceRecord, {type: 'tool_call_finished'}>, 'type' | 'receipt_id' | 'timestamp' | 'result'>
  | Pick<Extract<EvidenceRecord, {type: 'tool_call_progress'}>, 'type' | 'receipt_id' | 'timestamp'>;

const text = '"([^"\\\\]*)"';
const head = `^\\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","type":"tool_call_`;
const tail = `","receipt_id":${text},"timestamp":${text}`;
const started = new RegExp(`${head}started${tail},"task_id":${text},"session_id":${text},"tool_name":${text},`, 'u');
const finished = new RegExp(`${head}finished${tail},"result":"(success|failure|denied|crashed)",`, 'u');
/** Longer than any summary whose ids are valid. */
const summaryBytes = 1_024;

const call =
  /^\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","type":"(tool_call_(?:started|progress|finished))","receipt_id":"([^"\\]*)"/u;
/** Longer than what stands before the end of a kernel's own receipt ids. */
const callBytes = 256;

/** Of which call a line tells what: a summary's beginning, at half its cost. Undefined for what is no record. */
export function callOf(line: Buffer): Pick<RecordSummary, 'type' | 'receipt_id'> | undefined {
  const [, type, receipt_id] = call.exec(line.toString('utf8', 0, Math.min(line.length, callBytes))) ?? [];
  return receipt_id === undefined ? summarize(line) : {type: type as RecordSummary['type'], receipt_id};
}

/** Undefined for what is no record. */
export function summarize(line: Buffer): RecordSummary | undefined {
  const start = line.toString('utf8', 0, Math.min(line.length, summaryBytes));
  const [, receipt_id, timestamp, task_id, session_id, tool_name] = started.exec(start) ?? [];
  if (
    receipt_id !== undefined &&
    timestamp !== undefined &&
    task_id !== undefined &&
    session_id !== undefined &&
    tool_name !== undefined
  ) {
    return {type: 'tool_call_started', receipt_id, timestamp, task_id, session_id, tool_name};
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
