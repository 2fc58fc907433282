// The result of a call that no sandbox could be had for. Nothing was started.
import type {BackendName, SandboxProblem, SandboxRequest, SandboxResult} from './sandbox-backend.ts';

export function refuseCall(backend: BackendName, request: SandboxRequest, problem: SandboxProblem): SandboxResult {
  return {
    output: {
      success: false,
      error: {
        code: 'SANDBOX_UNAVAILABLE',
        message: `${problem.message}: ${problem.help}`,
        details: {backend, help: problem.help, ...(problem.retryable && {retryable: true})},
      },
    },
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
