// A call of a nested tool with a decision, and texts that no exporter may show.
import type {ObservedCall} from './observe-calls.ts';

export const secret = 'hunter2';

export function exampleCall(
  started: Partial<ObservedCall['started']> = {},
  finished: Partial<ObservedCall['finished']> = {},
): ObservedCall {
  const decision = {decision: 'allow', layer: 'lane', rule_id: 'reads', reason: `because of ${secret}`} as const;
  return {
    started: {
      type: 'tool_call_started',
      timestamp: '2026-11-26T17:00:00.000Z',
      receipt_id: 'rcp-1',
      process_id: 'p',
      run_id: 'run-1',
      task_id: 'task-1',
      session_id: 'session-1',
      lane_id: 'core',
      tool_name: 'file:read',
      pack_id: 'file',
      pack_version: '1.0.0',
      execution_mode: 'sandbox',
      scope_requested: [{type: 'path', pattern: '**', access: 'read'}],
      input_hash: 'a'.repeat(64),
      input_ref: 'ref',
      by: 'ann',
      surface: 'http',
      execution_metadata: {note: secret},
      policy_decisions: [decision],
      ...started,
    } as ObservedCall['started'],
    finished: {
      type: 'tool_call_finished',
      timestamp: '2026-11-26T17:00:00.250Z',
      receipt_id: 'rcp-1',
      result: 'success',
      duration_ms: 250.4,
      ...finished,
    },
  };
}
