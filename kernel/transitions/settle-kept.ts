// Applies or discards kept changes, once, even if several processes try. The first process records its start. If it dies before the
// outcome, another one continues, because applying can be repeated.
import type {ChangeSet, Person} from '@lumenflow/schemas';
import {KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvent} from '../ports.ts';
import type {ParkedChanges} from '../dispatch/finished-changes.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {approvalUsedEvent} from './consume-approval.ts';
import {sealChangeSet} from '../changes/seal-change-set.ts';
import type {KeptChanges} from '../changes/kept-changes.ts';

export interface KeptCommand {
  readonly receipt_id: string;
  readonly intent: 'apply' | 'discard';
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  /** Why they are discarded. */
  readonly reason?: string | undefined;
}

/** The state afterwards; for another process that is at it, `settling`. */
export async function settleKept(kernel: Kernel, command: KeptCommand): Promise<TransitionResult<KeptChanges>> {
  const {parked} = kernel.ports.dispatcher;
  if (parked === undefined) {
    return fail('CHANGES_NOT_KEPT', 'this host keeps no changes: ask a host that runs the tools of the workspace');
  }
  const refusal = await begin(kernel, command);
  if (refusal !== undefined) return refusal;
  const outcome = await settle(kernel, parked, command);
  await kernel.ports.events.transact(() => ({events: [outcome], result: undefined}));
  return succeed(keptOf(kernel, command.receipt_id));
}

/** Gives the answer when there is nothing left to do here. */
async function begin(
  kernel: Kernel,
  {receipt_id, intent, by, person}: KeptCommand,
): Promise<TransitionResult<KeptChanges> | undefined> {
  const {clock, events, processes} = kernel.ports;
  return await events.transact(() => {
    const kept = kernel.state.changes.get(receipt_id);
    const answer = kept && answerWithout(kernel, kept, intent);
    if (answer !== undefined) return {events: [], result: answer};
    const event = {
      type: 'changes_settling' as const,
      timestamp: clock.timestamp(),
      actor: by,
      ...(person && {person}),
      receipt_id,
      process_id: processes.processId,
      intent,
    };
    const used = intent === 'apply' ? approvalUsedEvent(kernel, kept?.request_id ?? '', receipt_id, by) : undefined;
    return {events: used ? [used, event] : [event], result: undefined};
  });
}

/** What is settled stays so, and what another process has begun is left to it. */
function answerWithout(
  kernel: Kernel,
  kept: KeptChanges,
  intent: KeptCommand['intent'],
): TransitionResult<KeptChanges> | undefined {
  const {state, process_id = ''} = kept;
  if (state === 'applied' || state === 'discarded') return succeed(kept);
  if (state === 'settling' && kernel.ports.processes.isAlive(process_id)) return succeed(kept);
  return intent === 'apply' && state === 'parked' && !isApproved(kernel, kept) ? notApproved(kept) : undefined;
}

function isApproved({lifetimes, state}: Kernel, {request_id = ''}: KeptChanges): boolean {
  const approval = state.approvals.get(request_id);
  return approval !== undefined && lifetimes.approval(approval).state === 'approved';
}

function notApproved({receipt_id, request_id = ''}: KeptChanges): TransitionResult<never> {
  const message = `the changes of \`${receipt_id}\` wait for approval: answer request \`${request_id}\` first`;
  return fail('APPROVAL_REQUIRED', message, {request_id});
}

async function settle(kernel: Kernel, parked: ParkedChanges, command: KeptCommand): Promise<NewEvent> {
  const {receipt_id, intent, by, person, reason} = command;
  const settled = (state: 'applied' | 'discarded' | 'conflict' | 'failed', more: object = {}): NewEvent => ({
    type: 'changes_settled',
    timestamp: kernel.ports.clock.timestamp(),
    actor: by,
    ...(person && {person}),
    receipt_id,
    state,
    ...(reason !== undefined && {reason}),
    ...more,
  });
  try {
    if (intent === 'discard') {
      await parked.discard(receipt_id);
      return settled('discarded');
    }
    const changes = await recordedSet(kernel, receipt_id);
    if (changes === undefined) return settled('failed', {reason: 'the recorded change set is gone or does not verify'});
    const result = await parked.apply(receipt_id, changes);
    if (result.state === 'applied') return settled('applied');
    return settled('conflict', {conflicts: result.conflicts.slice(0, 200)});
  } catch (error) {
    return settled('failed', {reason: String(error)});
  }
}

/** As it was when it was parked: the digest that was approved is the digest of what is applied. */
async function recordedSet(kernel: Kernel, receiptId: string): Promise<ChangeSet | undefined> {
  const {contents, digest} = kernel.ports;
  const {ref, ...expected} = await bound(kernel, receiptId);
  const text = ref === undefined ? undefined : await contents.get(ref);
  if (text === undefined) return undefined;
  const sealed = sealChangeSet((JSON.parse(text) as ChangeSet).entries, digest);
  return sealed.digest === expected.digest && sealed.base === expected.base ? sealed : undefined;
}

/** By the approval where a person was asked, otherwise by the record of the call. */
async function bound(
  {ports, state}: Kernel,
  receiptId: string,
): Promise<{
  readonly ref?: string | undefined;
  readonly digest?: string | undefined;
  readonly base?: string | undefined;
}> {
  const subject = state.approvals.get(state.changes.get(receiptId)?.request_id ?? '')?.subject;
  if (subject !== undefined) {
    return {ref: subject.changes_ref, digest: subject.changes_digest, base: subject.changes_base};
  }
  const recorded = (await ports.evidence.receipt(receiptId))?.finished?.changes;
  return {ref: recorded?.ref, digest: recorded?.digest, base: recorded?.base};
}

function keptOf({state}: Kernel, receiptId: string): KeptChanges {
  const kept = state.changes.get(receiptId);
  if (kept === undefined) {
    throw new KernelError('BROKEN_INVARIANT', `the settlement of ${receiptId} was appended but not folded`);
  }
  return kept;
}
