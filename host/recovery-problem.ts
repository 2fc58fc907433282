import type {Problem} from '@lumenflow/kernel';
import type {RecoveryNote} from '@lumenflow/sandbox';

/** The outcome of an interrupted call, as a warning of the host. */
export function recoveryProblem({kind, message, where, help}: RecoveryNote): Problem {
  const code = kind === 'undone' ? 'INTERRUPTED_CALL_UNDONE' : 'INTERRUPTED_CALL_LEFT';
  return {code, severity: 'warning', message, where, help};
}
