// Reports in a receipt what enforced a call's limits, and which requests of its handler the host refused.
import type {HandlerHome} from '@lumenflow/kernel/adapters';
import type {Enforcement} from '@lumenflow/schemas';

/** A thread of the host: its grant applies only to requests that it sends to the host. */
const pooled: Enforcement = {
  backend: 'pool',
  tier: 'none',
  degraded: ['files, network, processes, environment: not enforced, because the handler ran in a thread of the host'],
};

/** `reported`: of the sandbox, or of the request to a service. `denials`: refused requests of the handler. */
export function observedEnforcement(
  mode: HandlerHome,
  reported: Enforcement | undefined,
  denials: readonly string[],
): Enforcement | undefined {
  const held = mode === 'pool' ? pooled : reported;
  if (held === undefined || denials.length === 0) return held;
  return {...held, denials: [...denials, ...(held.denials ?? [])]};
}
