// What workspace.yaml asks of the sandbox of a lane's calls. Requirements only add up: a lane can ask for a stronger profile, never
// for a weaker one.
import type {LaneSpec, SecurityProfile, WorkspaceSpec} from '@lumenflow/schemas';
import type {SandboxChoice} from '../ports.ts';

/** The weakest first. */
const profiles: readonly SecurityProfile[] = ['dev', 'standard', 'hardened'];

/** Without a lane: what applies in lanes that ask for nothing more. */
export function sandboxChoice({security}: WorkspaceSpec, lane?: Pick<LaneSpec, 'sandbox'>): SandboxChoice {
  const {profile, backend, backends} = security.sandbox ?? {};
  const strongest = stronger(profile, lane?.sandbox?.profile);
  return {
    ...(strongest && {security_profile: strongest}),
    ...(backend && {sandbox_backend: backend}),
    ...(backends && {sandbox_backend_options: backends}),
  };
}

function stronger(one: SecurityProfile | undefined, other: SecurityProfile | undefined): SecurityProfile | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return profiles.indexOf(one) < profiles.indexOf(other) ? other : one;
}
