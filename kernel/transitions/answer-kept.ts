// A person applies or discards changes that were kept, by the receipt of their call.
import type {Kernel} from '../context/kernel.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';
import {resolveApproval} from './resolve-approval.ts';
import type {KeptChanges} from '../changes/kept-changes.ts';
import {settleKept, type KeptCommand} from './settle-kept.ts';

/** Discarding parked changes rejects their request; applying them needs its approval. */
export async function answerKept(kernel: Kernel, command: KeptCommand): Promise<TransitionResult<KeptChanges>> {
  const {receipt_id, intent, by, person, reason} = command;
  const invalid = checkIds({receipt_id, by});
  if (invalid) return invalid;
  await kernel.ports.events.refresh();
  const kept = kernel.state.changes.get(receipt_id);
  const refusal = kept === undefined ? await notKept(kernel, command) : undefined;
  if (refusal !== undefined) return refusal;
  if (kept?.state !== 'parked' || intent === 'apply') return await settleKept(kernel, command);
  const rejection = {request_id: kept.request_id ?? '', approved: false, approved_by: by, person};
  const answered = await resolveApproval(kernel, {...rejection, reason});
  return answered.success ? succeed(kernel.state.changes.get(receipt_id) ?? kept) : answered;
}

/** Without any event only a conflict at the end of the call keeps its changes. */
async function notKept(
  {ports}: Kernel,
  {receipt_id, intent}: KeptCommand,
): Promise<TransitionResult<never> | undefined> {
  const recorded = (await ports.evidence.receipt(receipt_id))?.finished?.changes;
  const isConflict = recorded?.state === 'conflict';
  if (isConflict && (await ports.dispatcher.parked?.has(receipt_id)) !== false) return undefined;
  const ended = isConflict ? 'ended in a conflict and kept nothing' : `was ${recorded?.state ?? ''}`;
  const state = recorded === undefined ? 'has no change set' : ended;
  return fail('CHANGES_NOT_KEPT', `the call \`${receipt_id}\` ${state}: there is nothing to ${intent}`, {receipt_id});
}
