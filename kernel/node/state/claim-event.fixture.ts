import type {NewEvent} from '@lumenflow/kernel/adapters';

/** A claim as a kernel would record it. */
export function claimEvent(taskId: string, sessionId: string): NewEvent {
  const timestamp = '2026-01-02T03:04:05.678Z';
  return {type: 'task_claimed', timestamp, actor: 'someone', task_id: taskId, run_id: 'run-1', session_id: sessionId};
}
