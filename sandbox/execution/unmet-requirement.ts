// The requirement of a call that its backend does not meet. Such a call is refused, never run with weaker protection.
import type {ProbeReport} from '../backends/probe-report.ts';
import {writesNothing} from '../profile/changes-nothing.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {refusal, unmetNeeds} from '../backends/security-tier.ts';
import type {ExecutorContext} from './executor-context.ts';

export function unmetRequirement(
  {profile, securityTier, needs = [], transaction, lasting}: SandboxRequest,
  report: ProbeReport,
  {backend, usualTier}: Pick<ExecutorContext, 'backend' | 'usualTier'>,
): SandboxProblem | undefined {
  if (!report.available) return report.problem;
  const unmet = refusal(securityTier ?? usualTier, report) ?? unmetNeeds(needs, report);
  if (unmet !== undefined) return unmet;
  if (lasting !== undefined && (transaction !== undefined || !writesNothing(profile.profile))) return lastsAndWrites;
  const {views, writesDirectly = true} = backend.capabilities;
  if (transaction === undefined)
    return writesDirectly || writesNothing(profile.profile) ? undefined : onCopies(backend);
  if (views) return undefined;
  return {
    message: `the backend \`${backend.name}\` does not support private views for transactional writes`,
    help: 'use `bubblewrap`, or list the tool in `security.direct_writes` to allow direct writes',
  };
}

const lastsAndWrites: SandboxProblem = {
  message: 'a server that lasts longer than one call cannot write to the workspace',
  help: 'remove the write scopes of its tools, or set `lifetime: call`',
};

function onCopies({name}: ExecutorContext['backend']): SandboxProblem {
  return {
    message: `the backend \`${name}\` works on copies of files, so it does not support direct writes`,
    help: 'remove the tool from `security.direct_writes`, or use a backend that mounts files, such as `bubblewrap`',
  };
}
