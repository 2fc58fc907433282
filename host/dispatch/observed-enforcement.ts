// What a receipt says of what held a call, with what the host itself refused its handler.
import type {DispatchOutcome} from '@lumenflow/kernel';
import type {Enforcement} from '@lumenflow/schemas';

/** A thread of the host: its grant binds what it asks the host for, and nothing else. */
const pooled: Enforcement = {
  backend: 'pool',
  tier: 'none',
  degraded: ['files, network, processes, environment: not held, the handler ran in a thread of the host'],
};

/** `denials`: requests of the handler that were refused. */
export function observedEnforcement(
  mode: 'pool' | 'sandbox',
  {enforcement}: DispatchOutcome,
  denials: readonly string[],
): {readonly enforcement?: Enforcement} {
  const held = mode === 'pool' ? pooled : enforcement;
  if (held === undefined) return {};
  if (denials.length === 0) return {enforcement: held};
  return {enforcement: {...held, denials: [...denials, ...(held.denials ?? [])]}};
}
