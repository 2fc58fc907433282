// Records as a pipeline would write them, for tests.
import type {NewEvent, NewEvidenceRecord} from '@lumenflow/kernel/adapters';

const timestamp = '2026-01-02T03:04:05.678Z';

export function startRecord(receiptId: string, extra: Partial<Record<string, unknown>> = {}): NewEvidenceRecord {
  return {
    type: 'tool_call_started',
    timestamp,
    receipt_id: receiptId,
    process_id: 'p.0.0.0.1',
    run_id: 'run-1',
    task_id: 'task-1',
    session_id: 'session-1',
    tool_name: 'files:read',
    execution_mode: 'pool',
    spec_hash: 'ab'.repeat(32),
    policy_decisions: [],
    ...extra,
  };
}

export function finishRecord(receiptId: string, extra: Partial<Record<string, unknown>> = {}): NewEvidenceRecord {
  return {
    type: 'tool_call_finished',
    timestamp,
    receipt_id: receiptId,
    result: 'success',
    duration_ms: 1.5,
    ...extra,
  };
}

export function progressRecord(receiptId: string, sequence: number, payload: unknown): NewEvidenceRecord {
  return {type: 'tool_call_progress', timestamp, receipt_id: receiptId, sequence, payload};
}

export function claimEvent(taskId: string, sessionId: string): NewEvent {
  return {type: 'task_claimed', timestamp, actor: 'someone', task_id: taskId, run_id: 'run-1', session_id: sessionId};
}
