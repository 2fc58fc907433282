// Consumes an approval. Of several identical calls, claims or completions in all processes, one gets it.
import {decideUse} from '../approvals/decide-approval.ts';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvent} from '../ports.ts';

/** Returns false if it was used, rejected or expired in the meantime. */
export async function consumeApproval(
  kernel: Kernel,
  requestId: string,
  usedBy: string,
  actor: string,
): Promise<boolean> {
  return await kernel.ports.events.transact(() => {
    const used = approvalUsedEvent(kernel, requestId, usedBy, actor);
    return {events: used ? [used] : [], result: used !== undefined};
  });
}

/** For a transaction that records more: the event that consumes it, or undefined if it is not valid any more. */
export function approvalUsedEvent(
  {lifetimes, ports, state}: Kernel,
  requestId: string,
  usedBy: string,
  actor: string,
): NewEvent | undefined {
  const approval = state.approvals.get(requestId);
  return decideUse(approval && lifetimes.approval(approval), {
    timestamp: ports.clock.timestamp(),
    actor,
    used_by: usedBy,
  });
}
