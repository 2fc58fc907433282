// The records of calls that the cases append.
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import type {ToolCallFinished, ToolCallStarted} from '@lumenflow/schemas';
import {sha256Hex} from '../system/sha256.ts';

/** 2026-01-02T03:04:<seconds>.000Z. */
export function timestampAt(seconds: number): string {
  return `2026-01-02T03:04:${String(seconds).padStart(2, '0')}.000Z`;
}

export function startedRecord(receiptId: string, more: Partial<ToolCallStarted> = {}): NewEvidenceRecord {
  return {
    type: 'tool_call_started',
    timestamp: timestampAt(5),
    receipt_id: receiptId,
    process_id: 'process.1',
    run_id: 'run-1',
    task_id: 'task-1',
    session_id: 'session-1',
    tool_name: 'files:read',
    execution_mode: 'pool',
    spec_hash: 'ab'.repeat(32),
    policy_decisions: [],
    ...more,
  };
}

export function progressRecord(receiptId: string, sequence: number, payload: unknown): NewEvidenceRecord {
  return {type: 'tool_call_progress', timestamp: timestampAt(6), receipt_id: receiptId, sequence, payload};
}

export function finishedRecord(receiptId: string, more: Partial<ToolCallFinished> = {}): NewEvidenceRecord {
  return {
    type: 'tool_call_finished',
    timestamp: timestampAt(7),
    receipt_id: receiptId,
    result: 'success',
    duration_ms: 1.5,
    ...more,
  };
}

/** A whole call with an input, an output and a log, of which the state has only the hashes. */
export function recordsOfCall(
  receiptId: string,
): readonly [started: NewEvidenceRecord, progress: NewEvidenceRecord, finished: NewEvidenceRecord] {
  const hashOf = (role: string): string => sha256Hex(`${role} ${receiptId}`);
  return [
    startedRecord(receiptId, {input_hash: hashOf('in')}),
    progressRecord(receiptId, 1, 'hälf'),
    finishedRecord(receiptId, {output_hash: hashOf('out'), log_hash: hashOf('log')}),
  ];
}
