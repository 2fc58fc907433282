// The decision about a recorded call. It has no side effects and imports nothing from Node, because the dashboard's pages use it
// too.
import type {PolicyOutcome} from '@lumenflow/schemas';

interface CallEnd {
  readonly result: string;
  readonly error_code?: string;
}

/**
 * Without `finished`, the call was allowed and is still running. A call that failed because it left its scopes is denied, although
 * its handler had started.
 */
export function decisionOfCall(finished: CallEnd | undefined): PolicyOutcome {
  if (finished?.error_code === 'APPROVAL_REQUIRED') return 'approval_required';
  return finished?.result === 'denied' || finished?.error_code === 'SCOPE_DENIED' ? 'deny' : 'allow';
}
