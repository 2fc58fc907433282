// Which calls share a sandbox that lasts. A call with another grant gets another sandbox. If the files behind the same grant have
// changed, the sandbox is replaced: it could reach what is hidden now.
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {fileIdentities, type HostUser} from '../warm-pool/spare-key.ts';
import type {LastingRequest} from '../backends/lasting-request.ts';

export interface LastingKey {
  /** The program, its span and its grant. */
  readonly owner: string;
  /** What is mounted and hidden. */
  readonly files: string;
}

export function lastingKey(
  {profile, invocation}: Pick<SandboxRequest, 'profile' | 'invocation'>,
  {span, programHash}: LastingRequest,
  user: HostUser,
): LastingKey {
  const {handler_entry, scope_enforced, env, config} = invocation;
  const module = handler_entry.slice(0, handler_entry.lastIndexOf('#'));
  return {
    owner: JSON.stringify([span, programHash, module, scope_enforced, env, config, profile.workspaceRoot, user]),
    files: `${profile.digest}\n${fileIdentities(profile, undefined)}`,
  };
}
