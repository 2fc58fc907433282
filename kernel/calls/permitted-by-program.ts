// Whether a person has approved the whole program that makes the call. The approval names the tools and the contents of their packs;
// under another policy it permits nothing. A call that a tool makes is not the program's own.
import type {Kernel} from '../context/kernel.ts';
import {policyStack} from '../workspace/policy-stack.ts';
import type {FoundCall} from './call.ts';

export function isPermittedByProgram(kernel: Kernel, {request, run, task, lane, tool}: FoundCall): boolean {
  const {program_approval: request_id} = request.context;
  if (request_id === undefined || request.parent !== undefined) return false;
  const approval = kernel.state.approvals.get(request_id);
  if (approval?.state !== 'used' || approval.used_by !== run.run_id) return false;
  const {kind, session_id, policy_digest, permitted_tools = []} = approval.subject;
  if (kind !== 'program' || session_id !== run.session_id) return false;
  if (policy_digest !== kernel.policyDigestCache.of(policyStack(kernel.workspace, lane, task))) return false;
  const {manifest, integrity} = tool.pack;
  return permitted_tools.some(
    (permitted) =>
      permitted.tool_name === tool.name && permitted.pack_id === manifest.id && permitted.pack_integrity === integrity,
  );
}
