// Keeps what a call wrote until a person has answered: the files are durable before anybody is asked.
import type {ApprovalSubject} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../context/kernel.ts';
import {storeAndAppend} from '../context/store-and-append.ts';
import {consultApproval} from '../transitions/consult-approval.ts';
import {callSubject, type AdmittedCall} from './call.ts';
import {changesConflict, changesParked} from './changes-failure.ts';
import type {ChangesDecision} from './decide-changes.ts';
import type {SettledSet, Settled} from './settled-changes.ts';

export async function parkChanges(
  kernel: Kernel,
  call: AdmittedCall,
  decided: ChangesDecision,
  {held, set}: SettledSet,
): Promise<Settled> {
  try {
    const kept = await held.park();
    if (kept.state === 'conflict') return {state: 'conflict', parts: {output: changesConflict(kept)}};
    const asked = await storeAndAppend(async () => {
      const {ref} = await kernel.ports.contents.put(canonicalJson(set));
      return await consultApproval(kernel, {
        subject: subjectOf(kernel, call, decided, {ref, digest: set.digest, base: set.base}),
        input_ref: call.input_ref,
        actor: call.run.by,
        asks: decided,
      });
    });
    if (asked.answer === 'not_asked') {
      await kernel.ports.dispatcher.parked?.discard(call.receipt_id);
      const message = `what the call wrote needs approval and was discarded: ${asked.message}`;
      const code = asked.code === 'POLICY_DENIED' ? asked.code : 'LIMIT_EXCEEDED';
      return {state: 'discarded', parts: {output: {success: false, error: {code, message}}}};
    }
    const {request_id} = asked.approval;
    return {state: 'parked', request_id, parts: {output: changesParked(call, asked.approval, decided)}};
  } catch (error) {
    await kernel.ports.dispatcher.parked?.discard(call.receipt_id);
    const message = `what the call wrote needs approval and could not be parked: ${String(error)}; nothing of it was applied`;
    return {state: 'discarded', parts: {output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message}}}};
  }
}

function subjectOf(
  kernel: Kernel,
  call: AdmittedCall,
  {question}: ChangesDecision,
  {ref, digest, base}: {readonly ref: string; readonly digest: string; readonly base: string},
): ApprovalSubject {
  return {
    ...callSubject(call, kernel.policyDigestCache.of(question.layers)),
    kind: 'changes',
    receipt_id: call.receipt_id,
    changes_digest: digest,
    changes_base: base,
    changes_ref: ref,
  };
}
