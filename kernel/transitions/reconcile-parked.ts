// Finishes the work of processes that ended: approved changes that were not applied, parked changes whose request is closed,
// and changes of a call that ended before it made its request.
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {Kernel} from '../context/kernel.ts';
import type {KeptChanges} from '../changes/kept-changes.ts';
import {settleKept, type KeptCommand} from './settle-kept.ts';

export async function reconcileParked(kernel: Kernel): Promise<void> {
  const {parked} = kernel.ports.dispatcher;
  if (parked === undefined) return;
  // Changes that cannot be listed or removed do no harm.
  for (const id of await parked.list().catch(() => [])) {
    if (await isUnasked(kernel, id)) await parked.discard(id).catch(() => undefined);
  }
  for (const kept of Array.from(kernel.state.changes.open())) {
    const command = nextCommand(kernel, kept);
    if (command !== undefined) await settleKept(kernel, command);
  }
}

/** False for a running call, and for a call whose record says that its changes are kept. */
async function isUnasked({ports, state}: Kernel, receiptId: string): Promise<boolean> {
  if (state.changes.has(receiptId)) return false;
  const finished = (await ports.evidence.receipt(receiptId))?.finished;
  if (finished === undefined || ['parked', 'conflict'].includes(finished.changes?.state ?? '')) return false;
  return await ports.events.transact(() => ({events: [], result: !state.changes.has(receiptId)}));
}

function nextCommand(kernel: Kernel, kept: KeptChanges): KeptCommand | undefined {
  const {receipt_id, state, intent, process_id = ''} = kept;
  if (state === 'settling' && !kernel.ports.processes.isAlive(process_id)) {
    return {receipt_id, intent: intent ?? 'discard', by: 'kernel.reconciliation'};
  }
  const approval = kernel.state.approvals.get(kept.request_id ?? '');
  return state === 'parked' && approval !== undefined ? answered(kernel, receipt_id, approval) : undefined;
}

function answered(kernel: Kernel, receiptId: string, approval: ApprovalRecord): KeptCommand | undefined {
  const {resolved_by = 'kernel.reconciliation', resolved_by_person: person} = approval;
  const {state} = kernel.lifetimes.approval(approval);
  if (state === 'pending') return undefined;
  if (state === 'approved') return {receipt_id: receiptId, intent: 'apply', by: resolved_by, person};
  const reason = state === 'expired' ? 'the request expired' : `the request is ${state}`;
  return {receipt_id: receiptId, intent: 'discard', by: resolved_by, person, reason};
}
