// A person's answer to a request: recorded once, with its author, time and reason.
import type {Kernel} from '../context/kernel.ts';
import {fail, type TransitionResult} from '../transition.ts';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import {decideResolution, findApproval, type ApprovalResolution} from '../approvals/decide-approval.ts';
import {refuseUnsigned, type SigningTerms} from '../passkeys/refuse-unsigned.ts';
import {askersOf} from './askers-of.ts';
import {settleKept} from './settle-kept.ts';
import {checkIds} from './check-ids.ts';

export async function resolveApproval(
  kernel: Kernel,
  resolution: ApprovalResolution,
): Promise<TransitionResult<ApprovalRecord>> {
  const {request_id, approved, approved_by, reason} = resolution;
  const invalid = checkIds({request_id, approved_by});
  if (invalid) return invalid;
  if (typeof approved !== 'boolean') return fail('INVALID_INPUT', '`approved` must be true or false');
  if (reason !== undefined && typeof reason !== 'string') return fail('INVALID_INPUT', '`reason` must be a text');
  const {clock, events} = kernel.ports;
  const refused = await events.transact(() => {
    const found = findApproval(kernel.state.approvals, request_id);
    if (!found.success) return {events: [], result: found};
    const terms = {timestamp: clock.timestamp(), askers: askersOf(kernel, found.data)};
    const decided = decideResolution(kernel.lifetimes.approval(found.data), resolution, terms);
    const refusal = decided.success ? refuseUnsigned(found.data, resolution, signingTerms(kernel)) : decided;
    return decided.success && !refusal ? {events: [decided.data], result: undefined} : {events: [], result: refusal};
  });
  if (refused) return refused;
  const approval = kernel.state.approvals.get(request_id);
  if (approval?.subject.kind === 'changes' && approval.state !== 'pending') await settleAnswered(kernel, approval);
  return findApproval(kernel.state.approvals, request_id);
}

function signingTerms({ports, state, workspace}: Kernel): SigningTerms {
  const {approvals, sign_in} = workspace.spec;
  return {passkeys: state.passkeys, verifier: ports.passkeys, url: sign_in?.url ?? approvals?.url};
}

/** If another process began earlier, that process settles them. */
async function settleAnswered(
  kernel: Kernel,
  {state, subject, resolved_by = '', resolved_by_person: person, reason}: ApprovalRecord,
): Promise<void> {
  const {receipt_id} = subject;
  if (receipt_id === undefined || kernel.ports.dispatcher.parked === undefined) return;
  const intent = state === 'approved' ? 'apply' : 'discard';
  await settleKept(kernel, {receipt_id, intent, by: resolved_by, person, reason});
}
