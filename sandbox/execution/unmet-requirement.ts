// The requirement of a call that its backend does not meet. Such a call is refused, never run with weaker protection.
import type {ProbeReport} from '../backends/probe-report.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {refusal, unmetNeeds} from '../backends/security-tier.ts';
import type {ExecutorContext} from './executor-context.ts';

export function unmetRequirement(
  {securityTier, needs = [], transaction}: SandboxRequest,
  report: ProbeReport,
  {backend, usualTier}: Pick<ExecutorContext, 'backend' | 'usualTier'>,
): SandboxProblem | undefined {
  if (!report.available) return report.problem;
  const unmet = refusal(securityTier ?? usualTier, report) ?? unmetNeeds(needs, report);
  if (unmet !== undefined || transaction === undefined || backend.capabilities.views) return unmet;
  return {
    message: `the backend \`${backend.name}\` does not support private views for transactional writes`,
    help: 'use `bubblewrap`, or list the tool in `security.direct_writes` to allow direct writes',
  };
}
