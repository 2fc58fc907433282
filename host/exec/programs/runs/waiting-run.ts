// A run that waits for a person is a blocked task with this reason. So boards show it, any host finds it, and it counts towards the
// WIP limit of its lane like every blocked task.
import type {TaskRecord} from '@lumenflow/kernel';
import {isRunId} from './run-id.ts';

const lead = 'waits for a person';

export function waitingReason(approvals: readonly string[]): string {
  return approvals.length === 0 ? lead : `${lead}: ${approvals.join(', ')}`;
}

/** False for a run that a person has blocked. */
export function isWaiting({task_id, state, blocked_reason = ''}: TaskRecord): boolean {
  return state === 'blocked' && isRunId(task_id) && blocked_reason.startsWith(lead);
}
