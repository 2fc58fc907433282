// What a receipt says of what held a call, with what the host itself refused its handler.
import type {Enforcement} from '@lumenflow/schemas';

/** A thread of the host: its grant binds what it asks the host for, and nothing else. */
const pooled: Enforcement = {
  backend: 'pool',
  tier: 'none',
  degraded: ['files, network, processes, environment: not held, the handler ran in a thread of the host'],
};

/** `reported`: by what sandboxed the call. `denials`: requests of the handler that were refused. */
export function observedEnforcement(
  mode: 'pool' | 'sandbox',
  reported: Enforcement | undefined,
  denials: readonly string[],
): Enforcement | undefined {
  const held = mode === 'pool' ? pooled : reported;
  if (held === undefined || denials.length === 0) return held;
  return {...held, denials: [...denials, ...(held.denials ?? [])]};
}
