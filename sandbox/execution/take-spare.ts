// Takes a spare that was started for calls like the one at hand.
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {spareKey, type HostUser, type SpareKey} from '../warm-pool/spare-key.ts';
import type {ExecutorContext} from './executor-context.ts';
import type {ServingRunner} from './serving-runner.ts';

/** Undefined for a call that only a sandbox of its own may serve. */
export function keyForCall(request: SandboxRequest, {pool}: Pick<ExecutorContext, 'pool'>): SpareKey | undefined {
  return pool && spareKey(request, currentUser());
}

/** A host may give up its rights while it runs; what it started before had them. */
function currentUser(): HostUser {
  return {uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0};
}

export function takeSpare(key: SpareKey | undefined, {pool}: Pick<ExecutorContext, 'pool'>): ServingRunner | undefined {
  const spare = key && pool?.take(key);
  if (spare === undefined) return undefined;
  const {runner, served, cpuMs} = spare;
  return {runner, start: served === 0 ? 'warm' : 'reused', served, earlierCpuMs: cpuMs};
}
