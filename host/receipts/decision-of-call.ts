// What was decided about a recorded call. Pure and without imports of Node: the dashboard's pages use it, too.
import type {PolicyOutcome} from '@lumenflow/schemas';

interface CallEnd {
  readonly result: string;
  readonly error_code?: string;
}

/** Absent `finished`: the call was let through and is under way. */
export function decisionOfCall(finished: CallEnd | undefined): PolicyOutcome {
  if (finished?.error_code === 'APPROVAL_REQUIRED') return 'approval_required';
  return finished?.result === 'denied' ? 'deny' : 'allow';
}
