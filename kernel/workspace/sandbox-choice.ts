// What workspace.yaml asks of the sandbox of a lane's calls. Requirements only add up: a lane can ask for a higher tier, never
// for a lower one.
import type {LaneSpec, SecurityTier, WorkspaceSpec} from '@lumenflow/schemas';
import type {SandboxChoice} from '../dispatch/sandbox-choice.ts';

/** The lowest first. */
const tiers: readonly SecurityTier[] = ['dev', 'standard', 'hardened'];

/** Without a lane: what applies in lanes that ask for nothing more. */
export function sandboxChoice({security}: WorkspaceSpec, lane?: Pick<LaneSpec, 'sandbox'>): SandboxChoice {
  const {profile, backend, backends} = security.sandbox ?? {};
  const highest = higher(profile, lane?.sandbox?.profile);
  return {
    ...(highest && {security_tier: highest}),
    ...(backend && {sandbox_backend: backend}),
    ...(backends && {sandbox_backend_options: backends}),
  };
}

function higher(one: SecurityTier | undefined, other: SecurityTier | undefined): SecurityTier | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return tiers.indexOf(one) < tiers.indexOf(other) ? other : one;
}
