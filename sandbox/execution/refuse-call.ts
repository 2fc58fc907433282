// The result of a call for which no sandbox could be started. Nothing was started.
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';

export function refuseCall(backend: string, request: SandboxRequest, problem: SandboxProblem): SandboxResult {
  return {
    output: {
      success: false,
      error: {
        code: 'SANDBOX_UNAVAILABLE',
        message: `${problem.message}: ${problem.help}`,
        details: {backend, help: problem.help, ...(problem.retryable === true && {retryable: true})},
      },
    },
    neverRan: problem,
    timedOut: false,
    aborted: false,
    truncated: false,
    oom: false,
    stdout: '',
    stderr: '',
    durationMs: 0,
    enforcement: {backend, tier: 'none', profile_digest: request.profile.digest},
  };
}
