// A person's answer to an approval request. Where the changes that were approved could not be applied, every surface reports a
// failure: the answer is recorded, and the changes are kept.
import type {ApprovalRecord, ApprovalResolution, KernelRuntime, TransitionResult} from '@lumenflow/kernel';
import {unsettled} from './settle-changes.ts';

export async function answerApproval(
  runtime: Pick<KernelRuntime, 'resolveApproval' | 'changes'>,
  resolution: ApprovalResolution,
): Promise<TransitionResult<ApprovalRecord>> {
  const result = await runtime.resolveApproval(resolution);
  if (!result.success || result.data.subject.kind !== 'changes' || result.data.state === 'pending') return result;
  const {request_id, subject} = result.data;
  const kept = (await runtime.changes.of(subject.receipt_id ?? ''))?.kept;
  const error = kept && unsettled(kept, resolution.approved ? 'apply' : 'discard');
  return error === undefined ? result : {success: false, error: {...error, details: {...error.details, request_id}}};
}
