// A sandbox that could not be set up for an unknown reason is started once more; nothing has run in it.
import type {SandboxProblem} from '../sandbox-problem.ts';

export function retriedOnce({retryable = 'once', ...problem}: SandboxProblem): SandboxProblem {
  return {...problem, retryable};
}
