// Reverts an earlier call: the inverse of its change set is handled like the changes of any other call.
import type {ChangeSet, EntryState, ToolOutput} from '@lumenflow/schemas';
import {inverseChanges, pathsWithoutContent} from '../changes/inverse-changes.ts';
import {sealChangeSet} from '../changes/seal-change-set.ts';
import {KernelError, type CallErrorCode} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {DispatchOutcome, DispatchRequest} from '../ports.ts';
import {viewChanges} from '../transitions/view-changes.ts';
import type {AdmittedCall} from './call.ts';
import {callerOf} from './caller-of.ts';
import {roleOf} from './role-of.ts';

const listedMax = 200;

export async function revertChanges(
  kernel: Kernel,
  call: AdmittedCall,
  request: DispatchRequest,
): Promise<DispatchOutcome> {
  const {dispatcher, contents} = kernel.ports;
  const {receipt_id} = request.input as {readonly receipt_id: string};
  if (call.request.parent !== undefined) return refused('a tool cannot revert changes: revert them in a separate call');
  if (dispatcher.makeChanges === undefined) return refused('this host reverts no changes: ask a host that runs tools');
  const applied = await appliedSet(kernel, call, receipt_id);
  if (!applied.ok) return applied.problem;
  const entries = inverseChanges(applied.value);
  const missing = pathsWithoutContent(entries);
  if (missing.length > 0) return refused(notKept(missing), {receipt_id, paths: missing.slice(0, listedMax)});
  const read = async ({bytes, content_ref = ''}: EntryState): Promise<string> => {
    const text = bytes === 0 ? '' : await contents.get(content_ref);
    if (text === undefined) {
      throw new KernelError('BROKEN_INVARIANT', 'a content that the change set refers to is no longer kept');
    }
    return text;
  };
  const outcome = await dispatcher.makeChanges(request, {entries, content: read});
  const reverted = {...outcome, reverts: receipt_id};
  if (!outcome.output.success) return reverted;
  const paths = entries.map(({path}) => path);
  return {
    ...reverted,
    output: {success: true, data: {receipt_id, count: paths.length, paths: paths.slice(0, listedMax)}},
  };
}

/** As it was applied; its record says so, and its digest verifies. */
async function appliedSet(
  kernel: Kernel,
  call: AdmittedCall,
  receiptId: string,
): Promise<Outcome<ChangeSet, DispatchOutcome>> {
  const {evidence, digest} = kernel.ports;
  const receipt = await evidence.receipt(receiptId);
  if (receipt === undefined) return failed(refused(`there is no receipt \`${receiptId}\``));
  const owner = receipt.started.by;
  if (!mayRevert(call, owner)) return failed(notYours(call, receiptId, owner));
  const view = await viewChanges(kernel, receiptId);
  if (view === undefined) {
    return failed(
      refused(`the call \`${receiptId}\` has no change set: only what a transactional call changed is reverted`),
    );
  }
  if (view.state !== 'applied') {
    return failed(refused(`the changes of \`${receiptId}\` are not applied: their state is \`${view.state}\``));
  }
  const {set, recorded} = view;
  const isWhole = set !== undefined && sealChangeSet(set.entries, digest).digest === recorded.digest;
  return isWhole ? ok(set) : failed(refused(`the change set of \`${receiptId}\` is gone or does not verify`));
}

/** A client reverts only its own calls. A person at the terminal, an operator and an approval can revert others. */
function mayRevert(call: AdmittedCall, owner: string | undefined): boolean {
  return roleOf(call.request.context) !== 'agent' || call.approval_request_id !== undefined || owner === callerOf(call);
}

function notYours(call: AdmittedCall, receiptId: string, owner = 'somebody else'): DispatchOutcome {
  const message = `\`${receiptId}\` is a call by \`${owner}\`: \`${callerOf(call)}\` can revert its own calls only. Ask an operator to revert it`;
  return {output: failure('SCOPE_DENIED', message, {receipt_id: receiptId})};
}

function notKept(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map((path) => `\`${path}\``);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  return `the earlier content of ${shown.join(', ')}${more} was not kept: it is binary, or larger than what is kept. Restore it by hand`;
}

function refused(message: string, details: Record<string, unknown> = {}): DispatchOutcome {
  return {output: failure('NOT_REVERTIBLE', `${message}; nothing was changed`, details)};
}

function failure(code: CallErrorCode, message: string, details: Record<string, unknown>): ToolOutput {
  return {success: false, error: {code, message, details}};
}
