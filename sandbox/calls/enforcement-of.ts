// What a receipt says of how a call was held: the backend's word, and what was observed of the call's end.
import type {Enforcement} from '@lumenflow/schemas';
import type {SandboxRequest, Tier} from '../backends/sandbox-backend.ts';
import type {CallFacts} from './run-call.ts';

export interface Hold {
  readonly backend: string;
  readonly tier: Tier;
  readonly degraded: readonly string[];
}

export function enforcementOf(facts: CallFacts, request: SandboxRequest, {backend, tier, degraded}: Hold): Enforcement {
  return {
    backend,
    tier,
    profile_digest: request.profile.digest,
    degraded: [...degraded],
    start: 'cold',
    ...(facts.exitCode === undefined ? {} : {exit_code: facts.exitCode}),
    ...(facts.signal === undefined ? {} : {exit_signal: facts.signal}),
    ...(facts.cpuMs === undefined ? {} : {cpu_ms: facts.cpuMs}),
    ...(facts.peakMemoryBytes === undefined ? {} : {peak_memory_bytes: facts.peakMemoryBytes}),
  };
}
