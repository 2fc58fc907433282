// The pipeline: the only way to call a tool, from every surface.
//
// request ─► look up ─► scopes, reserved ─► persist input ─► policy ─► validate ─► approval ─► [intent] ─► dispatch ─► output, result, changes ─► [outcome] ─► receipt
//
// Each stage returns the input of the next one, or a refusal. Every refusal is recorded.
import type {ToolOutput} from '@lumenflow/schemas';
import {isKernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import {isPromise} from '../maybe-promise.ts';
import {admitCall} from './admit-call.ts';
import {isRefusal, type AdmittedCall, type CallRequest} from './call.ts';
import {checkInput} from './check-input.ts';
import {checkOutput} from './check-output.ts';
import {decideCall} from './decide-call.ts';
import {dispatchCall, type CallOutcome} from './dispatch-call.ts';
import {findTool} from './find-tool.ts';
import {judgeResult} from './judge-result.ts';
import {narrowScopes} from './narrow-scopes.ts';
import {persistInput} from './persist-input.ts';
import {receiveCall} from './receive-call.ts';
import {resultJudge} from './result-judge.ts';
import {evidenceUnavailable, recordRefusal} from './record-refusal.ts';
import {seekApproval} from './seek-approval.ts';
import {settleChanges} from './settle-changes.ts';
import {settleCall} from './settle-call.ts';

export async function callTool(kernel: Kernel, request: CallRequest): Promise<ToolOutput> {
  try {
    const received = receiveCall(kernel, request);
    if (isRefusal(received)) return await recordRefusal(kernel, received);

    const finding = findTool(kernel, received);
    const found = isPromise(finding) ? await finding : finding;
    if (isRefusal(found)) return await recordRefusal(kernel, found);

    const narrowed = narrowScopes(kernel, found);
    if (isRefusal(narrowed)) return await recordRefusal(kernel, narrowed);

    const persisted = await persistInput(kernel, narrowed);
    if (isRefusal(persisted)) return await recordRefusal(kernel, persisted);

    const deciding = decideCall(kernel, persisted);
    const decided = isPromise(deciding) ? await deciding : deciding;
    if (isRefusal(decided)) return await recordRefusal(kernel, decided);

    const checked = checkInput(decided);
    if (isRefusal(checked)) return await recordRefusal(kernel, checked);

    const seeking = seekApproval(kernel, checked, callTool);
    const permitted = isPromise(seeking) ? await seeking : seeking;
    if (isRefusal(permitted)) return await recordRefusal(kernel, permitted);

    const admitted = await admitCall(kernel, permitted);
    if (isRefusal(admitted)) return await recordRefusal(kernel, admitted);

    const outcome = await dispatchCall(kernel, admitted, callTool);
    const isAwaited = outcome.dispatched.afterCall !== undefined;
    return await (isAwaited ? settleThenSignal : settle)(kernel, admitted, outcome);
  } catch (error) {
    if (isKernelError(error)) return evidenceUnavailable(error);
    throw error;
  }
}

/** Not async itself: most calls have nothing to settle but their outcome. */
function settle(kernel: Kernel, call: AdmittedCall, outcome: CallOutcome): Promise<ToolOutput> {
  const judged = judgeResult(call, checkOutput(call, outcome), resultJudge(kernel, call));
  const settling = settleChanges(kernel, call, judged);
  return isPromise(settling)
    ? settling.then((settled) => settleCall(kernel, call, settled))
    : settleCall(kernel, call, settling);
}

async function settleThenSignal(kernel: Kernel, call: AdmittedCall, outcome: CallOutcome): Promise<ToolOutput> {
  try {
    return await settle(kernel, call, outcome);
  } finally {
    outcome.dispatched.afterCall?.();
  }
}
